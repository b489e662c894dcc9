"""Your code scales q in place: the caller's tensor has changed after the call."""

import torch


def attention(q, k, v, mask=None):
    q *= q.shape[-1] ** -0.5
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
