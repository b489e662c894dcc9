"""Your sums are kept in float32: float64 inputs lose half of their digits."""

import math

import torch


def online_softmax(x, block_size):
    dtype, x = x.dtype, x.float()
    m = torch.full(x.shape[:-1], -math.inf, dtype=x.dtype)
    l = torch.zeros_like(m)
    for block in x.split(block_size, dim=-1):
        new = torch.maximum(m, block.amax(-1))
        base = new.masked_fill(new == -math.inf, 0.0)
        l = l * torch.exp(m - base) + torch.exp(block - base[..., None]).sum(-1)
        m = new
    return m.to(dtype), l.to(dtype)
