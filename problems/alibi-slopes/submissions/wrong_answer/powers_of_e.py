"""Your slopes are powers of e: they are powers of 2."""

import math

import torch


def alibi_slopes(n_heads):
    m = 2 ** (n_heads.bit_length() - 1)
    whole = [math.exp(-8 * (i + 1) / m) for i in range(m)]
    half = [math.exp(-4 * (i + 1) / m) for i in range(2 * m)]
    return torch.tensor((whole + half[0::2])[:n_heads], dtype=torch.float32)
