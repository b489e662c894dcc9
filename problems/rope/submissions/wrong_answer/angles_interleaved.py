"""Your result pairs halves, but repeats each frequency for two neighbours: channels i and i + D/2 must turn by the
same angle.
"""

import torch


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    wide = torch.float64 if x.dtype == torch.float64 else torch.float32
    frequencies = base ** (-torch.arange(0, D, 2, dtype=wide) / D)
    angles = positions.to(wide).unsqueeze(-1) * frequencies
    if positions.dim() == 2:
        angles = angles.unsqueeze(1)
    angles = angles.repeat_interleave(2, dim=-1)
    cos, sin = angles.cos(), angles.sin()
    x_wide = x.to(wide)
    turned = torch.cat([-x_wide[..., D // 2 :], x_wide[..., : D // 2]], dim=-1)
    return (x_wide * cos + turned * sin).to(x.dtype)
