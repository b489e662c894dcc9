"""Your result equals the numbers divided by their sum: the exponential is missing."""

import torch


def softmax(x, dim=-1):
    return torch.nan_to_num(x / x.sum(dim, keepdim=True))
