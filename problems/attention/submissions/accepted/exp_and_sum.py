"""The softmax by hand: exponentials after the row's maximum, divided by their sum."""

import torch


def attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.mT).div(q.size(-1) ** 0.5)
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), float("-inf"))
    highest = scores.amax(dim=-1, keepdim=True)
    highest = highest.masked_fill(highest.isinf(), 0.0)
    parts = torch.exp(scores - highest)
    total = parts.sum(dim=-1, keepdim=True)
    return torch.matmul(parts / total.masked_fill(total == 0, 1.0), v)
