"""Your code counts on as many queries as keys: T and S are lengths of two different sequences."""

import torch


def cross_attention(q, k, v, key_padding_mask):
    T = q.shape[-2]
    hidden = key_padding_mask[:, None, None, :].expand(-1, 1, T, T)
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(hidden, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    weights = weights.masked_fill(hidden.all(dim=-1, keepdim=True), 0.0)
    return weights @ v
