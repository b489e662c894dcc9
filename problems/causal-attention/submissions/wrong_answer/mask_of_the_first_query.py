"""Your result equals attention in which all queries share the mask of the first one."""

import torch


def causal_attention(q, k, v):
    T, S = q.shape[-2], k.shape[-2]
    visible = torch.ones(T, S, dtype=torch.bool).tril(S - T)
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(~visible[:1], float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
