"""Your result multiplies the sum by exp(m_new - m_old): the factor is upside down, the sum grows where it should
shrink.
"""

import math

import torch


def online_softmax(x, block_size):
    m = torch.full(x.shape[:-1], -math.inf, dtype=x.dtype)
    l = torch.zeros_like(m)
    for block in x.split(block_size, dim=-1):
        new = torch.maximum(m, block.amax(-1))
        base = new.masked_fill(new == -math.inf, 0.0)
        l = l * torch.exp(torch.where(m == -math.inf, 0.0, base - m)) + torch.exp(block - base[..., None]).sum(-1)
        m = new
    return m, l
