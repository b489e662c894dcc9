"""Your result equals attention over all keys: key_padding_mask has no effect."""

import torch


def cross_attention(q, k, v, key_padding_mask):
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    weights = torch.softmax(scores, dim=-1)
    return weights @ v
