"""Your result equals attention that gives every sequence of the batch the mask of the first one."""

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if mask is not None:
        mask = mask[:1] if mask.dim() == 4 else mask
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, dim=-1)) @ v
