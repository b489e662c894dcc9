"""Maximum and sum of exponentials of each row, in one pass over blocks."""

import math

import torch
from torch import Tensor


def online_softmax(x: Tensor, block_size: int) -> tuple[Tensor, Tensor]:
    wide = torch.promote_types(x.dtype, torch.float32)  # sums over many blocks need more digits than half has
    top = torch.full_like(x[..., 0], -math.inf, dtype=wide)  # (...), largest so far
    total = torch.zeros_like(top)  # (...), sum of exp(x - top) so far
    for block in x.split(block_size, dim=-1):  # (..., n), n <= block_size
        new_top = torch.maximum(top, block.amax(dim=-1))  # (...)
        base = new_top.clamp(min=torch.finfo(wide).min)  # finite: -inf - (-inf) would be NaN
        shrink = torch.exp(top - base)  # what was summed relative to `top` is now relative to `new_top`
        total = total * shrink + torch.exp(block - base.unsqueeze(-1)).sum(dim=-1)
        top = new_top
    return top.to(x.dtype), total.to(x.dtype)
