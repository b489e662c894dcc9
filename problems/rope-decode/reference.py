"""Rotary embedding of new tokens whose positions continue those of the cache."""

import torch
from torch import Tensor


def rope_decode(q: Tensor, k: Tensor, cache_len: int, base: float = 10000.0) -> tuple[Tensor, Tensor]:
    T, D = q.shape[-2:]
    wide = torch.promote_types(q.dtype, torch.float32)  # half precision cannot tell position 2049 from 2048
    positions = torch.arange(cache_len, cache_len + T, device=q.device)  # (T,)
    exponents = torch.arange(0, D, 2, dtype=wide, device=q.device) / D  # (D/2,): 2i / D
    angles = positions[:, None] * base**-exponents  # (T, D/2)
    return turned(q, angles), turned(k, angles)


def turned(x: Tensor, angles: Tensor) -> Tensor:
    cos, sin = angles.cos(), angles.sin()
    first, second = x.chunk(2, dim=-1)  # (B, H, T, D/2) each
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1).to(x.dtype)  # (B, H, T, D)
