"""Your function computes something and does not return it: the `return` is missing."""

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    torch.nan_to_num(torch.softmax(scores, dim=-1)) @ v
