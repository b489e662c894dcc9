"""Each pair as one complex number, multiplied by a unit number."""

import math

import torch


def apply_rope(x, positions, base=10000.0):
    half = x.shape[-1] // 2
    wide = x.double()
    pairs = torch.complex(wide[..., :half], wide[..., half:])
    frequencies = torch.exp(torch.arange(half, dtype=torch.float64) * (-math.log(base) / half))
    angles = positions.double()[..., None] * frequencies
    turns = torch.polar(torch.ones_like(angles), angles)
    if positions.ndim == 2:
        turns = turns[:, None]
    turned = pairs * turns
    return torch.cat([turned.real, turned.imag], dim=-1).to(x.dtype)
