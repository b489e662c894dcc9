"""Your result takes dim=0 for no dim at all, and goes along the last axis: 0 is false in Python, but a valid axis."""

import torch


def softmax(x, dim=None):
    dim = dim or -1
    powers = torch.exp(x - x.amax(dim, keepdim=True))
    return torch.nan_to_num(powers / powers.sum(dim, keepdim=True))
