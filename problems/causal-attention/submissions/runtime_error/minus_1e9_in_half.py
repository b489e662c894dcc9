"""Your code masks with the constant -1e9, which does not fit in float16 (the lowest number is -65504)."""

import torch


def causal_attention(q, k, v):
    T, S = q.shape[-2], k.shape[-2]
    visible = torch.ones(T, S, dtype=torch.bool).tril(S - T)
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(~visible, -1e9)
    return torch.softmax(scores, dim=-1) @ v
