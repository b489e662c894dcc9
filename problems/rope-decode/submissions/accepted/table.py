"""A table as long as needed, indexed by the new positions."""

import torch


def rope_decode(q, k, cache_len, base=10000.0):
    T, D = q.shape[2:]
    table = torch.arange(cache_len + T, dtype=torch.float64)[:, None] / base ** (
        torch.arange(0, D, 2, dtype=torch.float64) / D
    )
    angles = table[cache_len:]

    def turn(x):
        out = torch.empty_like(x)
        half = D // 2
        out[..., :half] = x[..., :half] * angles.cos() - x[..., half:] * angles.sin()
        out[..., half:] = x[..., half:] * angles.cos() + x[..., :half] * angles.sin()
        return out

    return turn(q), turn(k)
