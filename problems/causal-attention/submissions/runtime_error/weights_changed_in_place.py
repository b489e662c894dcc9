"""Your code changes the softmax's output in place, which autograd has kept for the backward pass: the values are
right, backward() fails.
"""

import torch


def causal_attention(q, k, v):
    T, S = q.shape[-2], k.shape[-2]
    visible = torch.ones(T, S, dtype=torch.bool).tril(S - T)
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(~visible, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    weights.masked_fill_(~visible, 0.0)
    return weights @ v
