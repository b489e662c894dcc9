"""The recursive form of the published code."""

import math

import torch


def slopes(n):
    if math.log2(n).is_integer():
        start = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [start * start**i for i in range(n)]
    closest = 2 ** math.floor(math.log2(n))
    return slopes(closest) + slopes(2 * closest)[0::2][: n - closest]


def alibi_slopes(n_heads):
    return torch.tensor(slopes(n_heads), dtype=torch.float32)
