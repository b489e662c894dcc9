"""Your result equals attention with k reshaped to [B, H, D, S]: a reshape keeps the order of the numbers and
mixes keys.
"""

import torch


def cross_attention(q, k, v, key_padding_mask):
    hidden = key_padding_mask[:, None, None, :]
    scores = q @ k.reshape(*k.shape[:2], k.shape[-1], k.shape[-2]) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(hidden, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    weights = weights.masked_fill(hidden.all(dim=-1, keepdim=True), 0.0)
    return weights @ v
