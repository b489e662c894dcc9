"""The usual rotate_half over doubled tables."""

import torch


def rotate_half(x):
    first, second = x.chunk(2, dim=-1)
    return torch.cat((-second, first), dim=-1)


def rope_decode(q, k, cache_len, base=10000.0):
    T, D = q.shape[-2], q.shape[-1]
    dtype = torch.float64 if q.dtype == torch.float64 else torch.float32
    inverse = 1.0 / (base ** (torch.arange(0, D, 2).to(dtype) / D))
    angles = torch.outer(torch.arange(cache_len, cache_len + T).to(dtype), inverse)
    angles = torch.cat((angles, angles), dim=-1)
    cos, sin = angles.cos(), angles.sin()
    return tuple((x * cos + rotate_half(x) * sin).to(x.dtype) for x in (q, k))
