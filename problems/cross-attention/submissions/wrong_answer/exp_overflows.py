"""Your result equals a softmax by hand without the row's maximum taken off: exp overflows for large scores and
is 0/0 for very negative ones.
"""

import torch


def cross_attention(q, k, v, key_padding_mask):
    hidden = key_padding_mask[:, None, None, :]
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(hidden, float("-inf"))
    weights = torch.exp(scores)
    weights = weights / weights.sum(dim=-1, keepdim=True)
    weights = weights.masked_fill(hidden.all(dim=-1, keepdim=True), 0.0)
    return weights @ v
