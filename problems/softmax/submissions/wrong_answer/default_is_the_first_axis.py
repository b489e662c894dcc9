"""Your result equals softmax over axis 0 where no `dim` is given: the default is the last axis."""

import torch


def softmax(x, dim=0):
    powers = torch.exp(x - x.amax(dim, keepdim=True))
    return torch.nan_to_num(powers / powers.sum(dim, keepdim=True))
