"""Slopes of ALiBi, for any number of heads."""

import torch
from torch import Tensor


def alibi_slopes(n_heads: int) -> Tensor:
    m = 2 ** (n_heads.bit_length() - 1)  # the largest power of two that is at most n_heads
    between = geometric(2 * m)[::2]  # (m,): of twice as many heads every other slope, the first one included
    return torch.cat([geometric(m), between[: n_heads - m]])  # (n_heads,)


def geometric(n: int) -> Tensor:
    exponents = torch.arange(1, n + 1, dtype=torch.float32) / n  # (n,): 1/n, 2/n ... 1; not in torch's default dtype
    return 2 ** (-8 * exponents)
