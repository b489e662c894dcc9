"""Your code turns key_padding_mask round in place: the caller's mask has changed after the call."""

import torch


def cross_attention(q, k, v, key_padding_mask):
    hidden = ~key_padding_mask.logical_not_()[:, None, None, :]
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(hidden, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    weights = weights.masked_fill(hidden.all(dim=-1, keepdim=True), 0.0)
    return weights @ v
