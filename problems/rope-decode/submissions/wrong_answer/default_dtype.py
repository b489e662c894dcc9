"""Your angles have torch's default dtype: the caller may have set another one, and float64 inputs need float64."""

import torch


def rope_decode(q, k, cache_len, base=10000.0):
    D = q.shape[-1]
    wide = torch.get_default_dtype()
    frequencies = base ** -(torch.arange(0, D, 2, dtype=wide) / D)
    positions = torch.arange(q.shape[-2], dtype=wide) + cache_len
    angles = positions[:, None] * frequencies

    def turn(x, angles):
        first, second = x.to(wide).chunk(2, dim=-1)
        cos, sin = angles.cos(), angles.sin()
        return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1).to(
            torch.promote_types(x.dtype, wide) if x.dtype.itemsize > 2 else x.dtype
        )

    return turn(q, angles), turn(k, angles)
