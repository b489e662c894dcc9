"""Your result equals a softmax by hand that subtracts one maximum for all rows: rows whose scores lie far below it
come out as 0/0.
"""

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.exp(scores - scores.max().clamp(min=torch.finfo(scores.dtype).min))
    total = weights.sum(dim=-1, keepdim=True)
    if mask is not None:
        total = total.masked_fill(~mask.any(dim=-1, keepdim=True), 1.0)
    return weights / total @ v
