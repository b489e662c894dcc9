"""Your code counts the tokens itself from call to call: the caller says where they stand, by cache_len."""

import torch

SEEN = {}


def rope_decode(q, k, cache_len, base=10000.0):
    D = q.shape[-1]
    start = SEEN.get(q.shape[:2], 0) if cache_len else 0
    SEEN[q.shape[:2]] = start + q.shape[2]
    wide = torch.promote_types(q.dtype, torch.float32)
    frequencies = base ** -(torch.arange(0, D, 2, dtype=wide) / D)
    angles = (torch.arange(q.shape[-2], dtype=wide) + start)[:, None] * frequencies

    def turn(x, angles):
        first, second = x.to(wide).chunk(2, dim=-1)
        cos, sin = angles.cos(), angles.sin()
        return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1).to(x.dtype)

    return turn(q, angles), turn(k, angles)
