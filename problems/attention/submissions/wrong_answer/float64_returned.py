"""Your result is float64 whatever the inputs are: it must have their dtype."""

import torch


def attention(q, k, v, mask=None):
    dtype = torch.float64
    q, k, v = q.to(dtype), k.to(dtype), v.to(dtype)
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, dim=-1)) @ v
