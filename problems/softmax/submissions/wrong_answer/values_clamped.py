"""Your result equals softmax of numbers cut off at 80: larger ones all become equal."""

import torch


def softmax(x, dim=-1):
    powers = torch.exp(x.clamp(max=80.0))
    total = powers.sum(dim, keepdim=True)
    return powers / total.masked_fill(total == 0, 1.0)
