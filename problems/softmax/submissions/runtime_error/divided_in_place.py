"""Your code divides the exponentials in place, which autograd has kept for the backward pass: the values are
right, backward() fails.
"""

import torch


def softmax(x, dim=-1):
    top = x.amax(dim, keepdim=True)
    powers = torch.exp(x - top.masked_fill(top == -torch.inf, 0.0))
    total = powers.sum(dim, keepdim=True)
    powers /= total.masked_fill(total == 0, 1.0)
    return powers
