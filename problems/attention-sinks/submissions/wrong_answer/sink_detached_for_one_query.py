"""Your result is right, but for a single query the sinks are cut off from autograd: their gradient is missing."""

import torch


def sink_attention(q, k, v, sinks):
    T, S = q.shape[-2], k.shape[-2]
    scores = q @ k.mT * q.shape[-1] ** -0.5
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, float("-inf"))
    sinks = sinks.detach() if T == 1 else sinks
    column = sinks[:, None, None].expand(*q.shape[:-1], 1)
    weights = torch.cat([scores, column], dim=-1).softmax(dim=-1)
    return weights[..., :-1] @ v
