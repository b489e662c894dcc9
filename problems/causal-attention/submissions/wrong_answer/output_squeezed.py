"""Your result has lost its axes of size 1: the shape must be [B, H, T, Dv] also where B, H or T is 1."""

import torch


def causal_attention(q, k, v):
    T, S = q.shape[-2], k.shape[-2]
    visible = torch.ones(T, S, dtype=torch.bool).tril(S - T)
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(~visible, float("-inf"))
    return (torch.softmax(scores, dim=-1) @ v).squeeze()
