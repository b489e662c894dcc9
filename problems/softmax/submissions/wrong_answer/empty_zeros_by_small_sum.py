"""Your result takes every slice whose exponentials sum to less than 1.5 for an empty one: where one entry is far
above the others, the sum is 1.
"""

import torch


def softmax(x, dim=-1):
    top = x.amax(dim, keepdim=True)
    powers = torch.exp(x - top.masked_fill(top == -torch.inf, 0.0))
    total = powers.sum(dim, keepdim=True)
    return torch.where(total < 1.5, 0, powers / total)
