"""Your result takes exponentials without subtracting a maximum: they overflow for large scores."""

import torch


def sink_attention(q, k, v, sinks):
    T, S = q.shape[-2], k.shape[-2]
    scores = q @ k.mT * q.shape[-1] ** -0.5
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, float("-inf"))
    sink = sinks[:, None, None]
    weights = torch.exp(scores)
    total = weights.sum(dim=-1, keepdim=True) + torch.exp(sink)
    return weights / total @ v
