"""Your result sums to one over the whole tensor: each slice along `dim` must sum to one by itself."""

import torch


def softmax(x, dim=-1):
    powers = torch.exp(x - x.max())
    return powers / powers.sum()
