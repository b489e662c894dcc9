"""Your angles are kept from an earlier call, whose base was another."""

import torch

ANGLES = {}


def rope_decode(q, k, cache_len, base=10000.0):
    D = q.shape[-1]
    wide = torch.promote_types(q.dtype, torch.float32)
    frequencies = base ** -(torch.arange(0, D, 2, dtype=wide) / D)
    positions = torch.arange(q.shape[-2], dtype=wide) + cache_len
    angles = ANGLES.setdefault((q.shape, q.dtype, cache_len), positions[:, None] * frequencies)

    def turn(x, angles):
        first, second = x.to(wide).chunk(2, dim=-1)
        cos, sin = angles.cos(), angles.sin()
        return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1).to(x.dtype)

    return turn(q, angles), turn(k, angles)
