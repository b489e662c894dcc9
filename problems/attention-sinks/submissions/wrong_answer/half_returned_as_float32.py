"""Your result is float32 for half-precision inputs: it must have their dtype."""

import torch


def sink_attention(q, k, v, sinks):
    if q.dtype != torch.float64:
        q, k, v, sinks = q.float(), k.float(), v.float(), sinks.float()
    T, S = q.shape[-2], k.shape[-2]
    scores = q @ k.mT * q.shape[-1] ** -0.5
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, float("-inf"))
    column = sinks[:, None, None].expand(*q.shape[:-1], 1)
    weights = torch.cat([scores, column], dim=-1).softmax(dim=-1)
    return weights[..., :-1] @ v
