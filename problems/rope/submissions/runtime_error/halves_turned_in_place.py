"""Your code changes the halves that chunk() gave in place: autograd refuses that for views which come several at
once.
"""

import torch


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    wide = torch.float64 if x.dtype == torch.float64 else torch.float32
    frequencies = base ** (-torch.arange(0, D, 2, dtype=wide) / D)
    angles = positions.to(wide).unsqueeze(-1) * frequencies
    if positions.dim() == 2:
        angles = angles.unsqueeze(1)
    cos, sin = angles.cos(), angles.sin()
    first, second = (x.to(wide) + 0).chunk(2, dim=-1)
    sines = second * sin
    second.mul_(cos).add_(first * sin)
    first.mul_(cos).sub_(sines)
    return torch.cat([first, second], dim=-1).to(x.dtype)
