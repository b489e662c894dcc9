"""What a supervisor does once, so that no child has to: calls that are slow, or fail, the first time inside the jail.

`first_calls` takes milliseconds. `slow_imports` takes seconds (torch._dynamo, which checkpointing, torch.func and the
optimisers import), so it is left until somebody needs it or nobody waits: see COLD_STATUS in `sandbox.limits`.
"""

from __future__ import annotations

import contextlib
import gc
import os
import tempfile

import torch
import torch.nn.functional as F
from torch import nn

from sandbox import restrict


def first_calls() -> None:
    """Caches, lazy attributes and /proc readers of everyday operators."""
    tempfile.tempdir = os.getcwd()
    q = torch.randn(2, 3, 4, 8, requires_grad=True)
    for dtype in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        x = q.to(dtype)
        weights = torch.softmax(torch.einsum("bhtd,bhsd->bhts", x, x) / 2, -1)
        hidden = torch.ones(4, 4, dtype=torch.bool).tril().logical_not()
        weights.masked_fill(hidden, 0).matmul(x).sum().backward()  # type: ignore[no-untyped-call]
    layer = nn.Linear(8, 8)
    F.scaled_dot_product_attention(q, q, q)
    with restrict.FunctionWatch([]), restrict.OperatorWatch([]):
        layer(q)
    with contextlib.suppress(ImportError):
        import einops

        einops.rearrange(q, "b h t d -> b t (h d)")
    restrict.prepare()
    gc.freeze()


def slow_imports() -> None:
    """torch._dynamo and what hangs on it."""
    import torch.nn.attention.flex_attention
    from torch.func import grad, vmap
    from torch.utils.checkpoint import checkpoint

    layer = nn.Linear(8, 8)
    checkpoint(layer, torch.randn(2, 8, requires_grad=True), use_reentrant=False).sum().backward()
    vmap(grad(lambda a: (a * a).sum()))(torch.randn(3, 4))
    restrict.prepare()
    gc.freeze()
