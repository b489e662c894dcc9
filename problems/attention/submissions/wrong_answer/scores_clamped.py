"""Your result equals attention with the scores clamped to [-50, 50]: large scores that differ become equal."""

import torch


def attention(q, k, v, mask=None):
    scores = (q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5).clamp(-50, 50)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, dim=-1)) @ v
