"""Your result equals RoPE with neighbours (2i, 2i + 1) as pairs; here channel i is paired with i + D/2."""

import torch


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    wide = torch.float64 if x.dtype == torch.float64 else torch.float32
    frequencies = base ** (-torch.arange(0, D, 2, dtype=wide) / D)
    angles = positions.to(wide).unsqueeze(-1) * frequencies
    if positions.dim() == 2:
        angles = angles.unsqueeze(1)
    cos, sin = angles.cos(), angles.sin()
    first, second = x.to(wide)[..., 0::2], x.to(wide)[..., 1::2]
    return torch.stack([first * cos - second * sin, second * cos + first * sin], dim=-1).flatten(-2).to(x.dtype)
