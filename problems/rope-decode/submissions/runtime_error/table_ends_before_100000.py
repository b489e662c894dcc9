"""Your table of angles has 100000 rows, so position 100000 is not in it: the first row is position 0."""

import torch


def rope_decode(q, k, cache_len, base=10000.0):
    T, D = q.shape[-2:]
    wide = torch.promote_types(q.dtype, torch.float32)
    frequencies = base ** -(torch.arange(0, D, 2, dtype=wide) / D)
    positions = torch.arange(100000, dtype=wide)[cache_len : cache_len + T]
    angles = positions[:, None] * frequencies

    def turn(x):
        first, second = x.to(wide).chunk(2, dim=-1)
        cos, sin = angles.cos(), angles.sin()
        return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1).to(x.dtype)

    return turn(q), turn(k)
