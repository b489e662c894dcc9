"""Your result takes the largest absolute value off: where that belongs to a negative number, all exponentials
vanish.
"""

import torch


def softmax(x, dim=-1):
    size = x.abs().masked_fill(x == -torch.inf, 0.0).amax(dim, keepdim=True)
    powers = torch.exp(x - size)
    total = powers.sum(dim, keepdim=True)
    return powers / total.masked_fill(total == 0, 1.0)
