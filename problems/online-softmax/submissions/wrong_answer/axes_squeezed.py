"""Your results have lost their axes of size 1: their shape is that of x without its last axis."""

import math

import torch


def online_softmax(x, block_size):
    m = torch.full(x.shape[:-1], -math.inf, dtype=x.dtype)
    l = torch.zeros_like(m)
    for block in x.split(block_size, dim=-1):
        new = torch.maximum(m, block.amax(-1))
        base = new.masked_fill(new == -math.inf, 0.0)
        l = l * torch.exp(m - base) + torch.exp(block - base[..., None]).sum(-1)
        m = new
    return m.squeeze(), l.squeeze()
