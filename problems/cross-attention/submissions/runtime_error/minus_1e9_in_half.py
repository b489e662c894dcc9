"""Your code masks with the constant -1e9, which does not fit in float16 (the lowest number is -65504)."""

import torch


def cross_attention(q, k, v, key_padding_mask):
    hidden = key_padding_mask[:, None, None, :]
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(hidden, -1e9)
    weights = torch.softmax(scores, dim=-1)
    weights = weights.masked_fill(hidden.all(dim=-1, keepdim=True), 0.0)
    return weights @ v
