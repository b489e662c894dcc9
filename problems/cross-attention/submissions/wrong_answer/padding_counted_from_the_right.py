"""Your result equals attention that counts the padding and hides that many keys at the end: padding may stand on
the left or in the middle.
"""

import torch


def cross_attention(q, k, v, key_padding_mask):
    real = (~key_padding_mask).sum(dim=1)
    hidden = (torch.arange(k.shape[-2]) >= real[:, None])[:, None, None, :]
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(hidden, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    weights = weights.masked_fill(hidden.all(dim=-1, keepdim=True), 0.0)
    return weights @ v
