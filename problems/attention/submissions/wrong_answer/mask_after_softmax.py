"""Your result equals attention with the mask applied after the softmax: the weights that are left no longer sum to
one.
"""

import torch


def attention(q, k, v, mask=None):
    weights = torch.softmax(q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5, dim=-1)
    if mask is not None:
        weights = weights * mask
    return weights @ v
