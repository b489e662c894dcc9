"""Your result takes the maximum along the last axis off, also where `dim` is another one: a slice far below that
maximum underflows.
"""

import torch


def softmax(x, dim=-1):
    top = x.amax(-1, keepdim=True)
    powers = torch.exp(x - top.masked_fill(top == -torch.inf, 0.0))
    total = powers.sum(dim, keepdim=True)
    return powers / total.masked_fill(total == 0, 1.0)
