"""Your result holds equal shares in slices of nothing but -inf, since a finite number takes the place of -inf.
Such slices must be zeros.
"""

import torch


def softmax(x, dim=-1):
    x = x.clamp(min=torch.finfo(x.dtype).min)
    powers = torch.exp(x - x.amax(dim, keepdim=True))
    return powers / powers.sum(dim, keepdim=True)
