"""Your code scales q in place: the caller's tensor has changed after the call."""

import torch


def causal_attention(q, k, v):
    T, S = q.shape[-2], k.shape[-2]
    visible = torch.ones(T, S, dtype=torch.bool).tril(S - T)
    q *= q.shape[-1] ** -0.5
    scores = q @ k.transpose(-2, -1)
    scores = scores.masked_fill(~visible, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
