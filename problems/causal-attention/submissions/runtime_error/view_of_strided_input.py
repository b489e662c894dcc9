"""Your code calls view() on inputs whose memory is not laid out that way."""

import torch


def causal_attention(q, k, v):
    B, H, T, D = q.shape
    S, Dv = v.shape[-2:]
    q, k, v = q.view(B * H, T, D), k.view(B * H, S, D), v.view(B * H, S, Dv)
    visible = torch.ones(T, S, dtype=torch.bool).tril(S - T)
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(~visible, float("-inf"))
    return torch.bmm(torch.softmax(scores, dim=-1), v).view(B, H, T, Dv)
