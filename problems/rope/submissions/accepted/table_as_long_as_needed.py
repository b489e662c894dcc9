"""A table of cos and sin up to the largest position, indexed by position."""

import torch


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    kind = torch.promote_types(x.dtype, torch.float32)
    frequencies = torch.pow(torch.tensor(base, dtype=kind), torch.arange(0, D, 2, dtype=kind).div(-D))
    table = torch.outer(torch.arange(int(positions.max()) + 1, dtype=kind), frequencies)
    cos, sin = table.cos()[positions], table.sin()[positions]
    cos, sin = (part.unsqueeze(-3) for part in (cos, sin))
    a, b = x.unflatten(-1, (2, -1)).unbind(-2)
    return torch.stack([a * cos - b * sin, b * cos + a * sin], dim=-2).flatten(-2).to(x.dtype)
