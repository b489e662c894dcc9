"""Rotary position embedding on half-split pairs; angles never in half precision."""

import torch
from torch import Tensor


def apply_rope(x: Tensor, positions: Tensor, base: float = 10000.0) -> Tensor:
    D = x.size(-1)
    wide = torch.promote_types(x.dtype, torch.float32)  # half precision cannot tell position 2049 from 2048
    exponents = torch.arange(0, D, 2, dtype=wide) / D  # (D/2,): 2i / D
    angles = positions[..., None] * base**-exponents  # (T, D/2) or (B, T, D/2), as wide as the exponents
    if positions.dim() == 2:
        angles = angles[:, None]  # (B, 1, T, D/2): the same for all heads
    cos, sin = angles.cos(), angles.sin()
    first, second = x.split(D // 2, dim=-1)  # (B, H, T, D/2) each
    turned = torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)  # (B, H, T, D), wide
    return turned.to(x.dtype)
