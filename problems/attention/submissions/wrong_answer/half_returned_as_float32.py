"""Your result is computed in float32 and returned so: it must go back to the dtype of the input."""

import torch


def attention(q, k, v, mask=None):
    if q.dtype != torch.float64:
        q, k, v = q.float(), k.float(), v.float()
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, dim=-1)) @ v
