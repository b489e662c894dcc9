"""Your result puts the sink in the place of the score of key 0: it joins the scores as one more."""

import torch


def sink_attention(q, k, v, sinks):
    T, S = q.shape[-2], k.shape[-2]
    scores = q @ k.mT * q.shape[-1] ** -0.5
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, float("-inf"))
    column = sinks[:, None, None].expand(*q.shape[:-1], 1)
    weights = torch.cat([column, scores[..., 1:]], dim=-1).softmax(dim=-1)
    return weights @ v
