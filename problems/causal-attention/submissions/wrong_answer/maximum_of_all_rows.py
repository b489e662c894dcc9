"""Your softmax takes one maximum off all rows: rows far below it underflow to 0/0."""

import torch


def causal_attention(q, k, v):
    T, S = q.shape[-2], k.shape[-2]
    visible = torch.ones(T, S, dtype=torch.bool).tril(S - T)
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(~visible, float("-inf"))
    weights = torch.exp(scores - scores.max())
    return weights / weights.sum(dim=-1, keepdim=True) @ v
