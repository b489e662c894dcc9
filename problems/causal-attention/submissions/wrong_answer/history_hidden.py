"""Your result equals attention over the last T keys only: the S - T keys of the history are visible too."""

import torch


def causal_attention(q, k, v):
    T = q.shape[-2]
    k, v = k[..., -T:, :], v[..., -T:, :]
    visible = torch.ones(T, T, dtype=torch.bool).tril()
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(~visible, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
