"""Your result equals exp(x) divided by its sum, without taking the maximum off first: exp overflows for large
numbers, and very negative ones give 0/0.
"""

import torch


def softmax(x, dim=-1):
    powers = torch.exp(x)
    empty = (x == -torch.inf).all(dim, keepdim=True)
    return powers / powers.sum(dim, keepdim=True).masked_fill(empty, 1.0)
