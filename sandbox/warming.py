"""What a supervisor does once, so that no child has to: calls that are slow, or fail, the first time inside the jail.

`first_calls` takes milliseconds. `slow_imports` takes seconds (torch._dynamo, which checkpointing, torch.func and the
optimisers import), so it is left until somebody needs it or nobody waits: see COLD_STATUS in `sandbox.limits`.
`huge_pages` comes after both: a fork and its end then go through hundreds of entries instead of 55,000.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import re
import tempfile

import torch
import torch.nn.functional as F
from torch import nn

from sandbox import restrict, wire

HUGE = 2 << 20
MADV_COLLAPSE = 25
_WRITABLE = re.compile(r"([0-9a-f]+)-([0-9a-f]+) rw-p \S+ 00:00 0 +(?:\[heap\])?$")
"""A line of /proc/self/maps: private memory of no file, no stack."""


def first_calls() -> None:
    """Caches, lazy attributes and /proc readers of everyday operators."""
    tempfile.tempdir = os.getcwd()
    q = torch.randn(2, 3, 4, 8, requires_grad=True)
    for dtype in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
        x = q.to(dtype)
        weights = torch.softmax(torch.einsum("bhtd,bhsd->bhts", x, x) / 2, -1)
        hidden = torch.ones(4, 4, dtype=torch.bool).tril().logical_not()
        weights.masked_fill(hidden, 0).matmul(x).sum().backward()  # type: ignore[no-untyped-call]
    F.scaled_dot_product_attention(q, q, q)
    with restrict.FunctionWatch([]), restrict.OperatorWatch([]):
        _usual_operators(q.detach())
    with contextlib.suppress(ImportError):
        import einops

        einops.rearrange(q, "b h t d -> b t (h d)")
    restrict.prepare()
    gc.freeze()


def _usual_operators(x: torch.Tensor) -> None:
    """What attention is mostly written with. Seen by a watch once, so that each operator's Python object exists."""
    layer = nn.Linear(8, 8, bias=False)
    scores = (layer(x) @ x.mT / 2.0 * 0.5).div_(2).mul(2)
    torch.einsum("bhtd,bhsd->bhts", x, x)
    hidden = torch.ones(4, 4, dtype=torch.bool).triu(1) | (torch.arange(4)[:, None] < torch.arange(4)[None])
    scores = scores.masked_fill(~hidden.logical_not(), float("-inf")) + torch.zeros(4, 4)
    weights = torch.nan_to_num(torch.softmax(scores, -1), 0.0)
    top = scores.amax(-1, keepdim=True).clamp(min=-1e30) - scores.max(-1, keepdim=True).values
    torch.where(hidden, top.exp(), weights).sum(-1, keepdim=True).log().expand(2, 3, 4, 4)
    merged = (weights @ x).transpose(1, 2).reshape(2, 4, 24).view(2, 4, 3, 8).permute(0, 2, 1, 3).contiguous()
    torch.cat([merged, merged.flatten(2).reshape(2, 3, 4, 8)], -1).chunk(2, -1)
    merged.masked_select(merged > 0).to(torch.float64).isnan().any()


def touch_pages() -> None:
    """In a spare child, while nobody waits: what most submissions do, so that the pages it writes are copied then."""
    torch.manual_seed(0)
    x = torch.randn(2, 4, 12, requires_grad=True)
    layers = nn.ModuleList(nn.Linear(12, 12, bias=False) for _ in range(4))
    data = wire.encode({"calls": [{}]}, [x, *layers.parameters()])
    sizes = wire.read_prefix(data[: wire.PREFIX.size])
    start = wire.PREFIX.size + sizes[0]
    wire.decode(data[wire.PREFIX.size : start], bytearray(data[start:]))
    q, k, v = (layer(x).view(2, 4, 3, 4).transpose(1, 2) for layer in list(layers)[:3])
    weights = (q @ k.mT).masked_fill(torch.ones(4, 4, dtype=torch.bool).triu(1), float("-inf")).softmax(-1)
    result = layers[3]((weights @ v).transpose(1, 2).reshape(2, 4, 12))
    torch.autograd.grad(result.sum(), [x, *layers.parameters()])
    wire.encode({}, [result], keep_layout=False)
    with torch.no_grad(), restrict.FunctionWatch([]), restrict.OperatorWatch([]):
        _usual_operators(torch.randn(2, 3, 4, 8))


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


def huge_pages() -> None:
    """This process's memory into pages of 2 MiB, where the kernel can (Linux 6.1): half a second."""
    with contextlib.suppress(OSError, AttributeError):
        madvise = ctypes.CDLL(None).madvise
        with open("/proc/self/maps", encoding="utf-8") as maps:
            areas = [found.groups() for line in maps if (found := _WRITABLE.match(line))]
        for low, high in areas:
            for place in range(-(-int(low, 16) // HUGE) * HUGE, int(high, 16) - HUGE + 1, HUGE):
                madvise(ctypes.c_void_p(place), ctypes.c_size_t(HUGE), MADV_COLLAPSE)
