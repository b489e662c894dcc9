"""Your result is NaN where a row begins with a block of -inf: the maximum is still -inf there, and -inf - (-inf)
is NaN.
"""

import math

import torch


def online_softmax(x, block_size):
    m = torch.full(x.shape[:-1], -math.inf, dtype=x.dtype)
    l = torch.zeros_like(m)
    for block in x.split(block_size, dim=-1):
        new = torch.maximum(m, block.amax(-1))
        base = new
        l = l * torch.exp(m - base) + torch.exp(block - base[..., None]).sum(-1)
        m = new
    return m, l
