"""Lets the empty slices become NaN and replaces them at the end."""

import torch


def softmax(x, dim=-1):
    powers = torch.exp(x - x.amax(dim, keepdim=True))
    weights = powers / powers.sum(dim, keepdim=True)
    return torch.nan_to_num(weights, nan=0.0)
