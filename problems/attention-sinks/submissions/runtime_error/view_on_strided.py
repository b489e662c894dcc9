"""Your code calls view() on inputs whose memory is not laid out that way."""

import torch


def sink_attention(q, k, v, sinks):
    B, H, T, D = q.shape
    S = k.shape[-2]
    scores = (q.view(B * H, T, D) @ k.view(B * H, S, D).mT).view(B, H, T, S) * D**-0.5
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, float("-inf"))
    column = sinks[:, None, None].expand(*q.shape[:-1], 1)
    weights = torch.cat([scores, column], dim=-1).softmax(dim=-1)
    return weights[..., :-1] @ v
