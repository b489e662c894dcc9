"""Your result cuts sinks to the range from -50 to 50."""

import torch


def sink_attention(q, k, v, sinks):
    T, S = q.shape[-2], k.shape[-2]
    scores = q @ k.mT * q.shape[-1] ** -0.5
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, float("-inf"))
    column = sinks.clamp(-50, 50)[:, None, None].expand(*q.shape[:-1], 1)
    weights = torch.cat([scores, column], dim=-1).softmax(dim=-1)
    return weights[..., :-1] @ v
