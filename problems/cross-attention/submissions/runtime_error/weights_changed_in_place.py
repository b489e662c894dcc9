"""Your code changes the softmax's output in place, which autograd has kept for the backward pass: the values are
right, backward() fails.
"""

import torch


def cross_attention(q, k, v, key_padding_mask):
    hidden = key_padding_mask[:, None, None, :]
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(hidden, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    weights.nan_to_num_(0.0)
    return weights @ v
