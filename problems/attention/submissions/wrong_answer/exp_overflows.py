"""Your result equals a softmax by hand without subtracting the row's maximum: exp overflows for large scores and is
0/0 for very negative ones.
"""

import torch


def attention(q, k, v, mask=None):
    weights = torch.exp(q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
        empty = ~mask.any(dim=-1, keepdim=True)
        return weights / weights.sum(dim=-1, keepdim=True).masked_fill(empty, 1.0) @ v
    return weights / weights.sum(dim=-1, keepdim=True) @ v
