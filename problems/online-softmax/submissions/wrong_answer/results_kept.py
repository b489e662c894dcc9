"""Your code keeps maximum and sum from an earlier call of the same shape: each call starts from nothing."""

import math

import torch

STATES = {}


def online_softmax(x, block_size):
    empty = (torch.full(x.shape[:-1], -math.inf, dtype=x.dtype), torch.zeros(x.shape[:-1], dtype=x.dtype))
    m, l = STATES.get(x.shape, empty)
    for block in x.split(block_size, dim=-1):
        new = torch.maximum(m, block.amax(-1))
        base = new.masked_fill(new == -math.inf, 0.0)
        l = l * torch.exp(m - base) + torch.exp(block - base[..., None]).sum(-1)
        m = new
    STATES[x.shape] = (m.detach(), l.detach())
    return m, l
