"""Your sum is built from exp(x) and divided by exp(m) at the end: right on paper, but exp(x) overflows before,
or vanishes.
"""

import math

import torch


def online_softmax(x, block_size):
    m = torch.full(x.shape[:-1], -math.inf, dtype=x.dtype)
    l = torch.zeros_like(m)
    for block in x.split(block_size, dim=-1):
        m = torch.maximum(m, block.amax(-1))
        l = l + torch.exp(block).sum(-1)
    return m, l / torch.exp(m.masked_fill(m == -math.inf, 0.0))
