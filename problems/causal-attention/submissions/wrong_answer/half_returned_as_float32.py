"""Your result is computed in float32 and returned so: half precision in, half precision out."""

import torch


def causal_attention(q, k, v):
    T, S = q.shape[-2], k.shape[-2]
    if q.dtype != torch.float64:
        q, k, v = q.float(), k.float(), v.float()
    visible = torch.ones(T, S, dtype=torch.bool).tril(S - T)
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(~visible, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
