"""Your result equals a softmax over all keys that is masked and divided by its sum afterwards: where a hidden key
has by far the highest score, nothing is left of the visible ones.
"""

import torch


def attention(q, k, v, mask=None):
    weights = torch.softmax(q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5, dim=-1)
    if mask is not None:
        weights = weights * mask
        total = weights.sum(dim=-1, keepdim=True)
        weights = weights / total.masked_fill(total == 0, 1.0)
    return weights @ v
