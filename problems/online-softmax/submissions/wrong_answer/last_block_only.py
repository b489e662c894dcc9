"""Your result is the maximum and the sum of the last block alone."""

import math

import torch


def online_softmax(x, block_size):
    for block in x.split(block_size, dim=-1):
        m = block.amax(-1)
        l = torch.exp(block - m.masked_fill(m == -math.inf, 0.0)[..., None]).sum(-1)
    return m, l
