"""Lets the rows of sequences without a key become NaN and replaces them."""

import torch


def cross_attention(q, k, v, key_padding_mask):
    B, S = key_padding_mask.shape
    bias = torch.zeros(B, 1, 1, S, dtype=q.dtype).masked_fill_(key_padding_mask.view(B, 1, 1, S), -torch.inf)
    scores = (q * q.size(-1) ** -0.5) @ k.mT + bias
    return torch.nan_to_num(scores.softmax(dim=-1)) @ v
