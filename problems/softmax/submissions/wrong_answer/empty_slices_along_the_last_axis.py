"""Your result looks for slices of nothing but -inf along the last axis only, not along `dim`."""

import torch


def softmax(x, dim=-1):
    empty = (x == -torch.inf).all(-1, keepdim=True)
    powers = torch.exp(x - x.amax(dim, keepdim=True))
    return (powers / powers.sum(dim, keepdim=True)).masked_fill(empty, 0.0)
