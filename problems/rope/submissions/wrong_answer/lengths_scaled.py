"""Your result is divided by the root of D: a rotation keeps lengths."""

import torch


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    wide = torch.float64 if x.dtype == torch.float64 else torch.float32
    frequencies = base ** (-torch.arange(0, D, 2, dtype=wide) / D)
    angles = positions.to(wide).unsqueeze(-1) * frequencies
    if positions.dim() == 2:
        angles = angles.unsqueeze(1)
    cos, sin = angles.cos(), angles.sin()
    first, second = x.to(wide).chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1).to(x.dtype) / D**0.5
