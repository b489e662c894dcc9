"""Your power of two is the nearest, not the largest below: for 6 heads it is 4."""

import math

import torch


def alibi_slopes(n_heads):
    m = 2 ** round(math.log2(n_heads))
    whole = [2 ** (-8 * (i + 1) / m) for i in range(m)]
    half = [2 ** (-4 * (i + 1) / m) for i in range(2 * m)]
    return torch.tensor((whole + half[0::2])[:n_heads], dtype=torch.float32)
