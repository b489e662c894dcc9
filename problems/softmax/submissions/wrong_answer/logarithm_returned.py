"""Your result is the logarithm of the softmax: the last exponential is missing."""

import torch


def softmax(x, dim=-1):
    shifted = x - x.amax(dim, keepdim=True)
    return torch.nan_to_num(shifted - shifted.exp().sum(dim, keepdim=True).log(), nan=0.0)
