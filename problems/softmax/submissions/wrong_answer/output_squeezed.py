"""Your result has lost its axes of size 1: the shape must be that of x."""

import torch


def softmax(x, dim=-1):
    powers = torch.exp(x - x.amax(dim, keepdim=True))
    return torch.nan_to_num(powers / powers.sum(dim, keepdim=True)).squeeze()
