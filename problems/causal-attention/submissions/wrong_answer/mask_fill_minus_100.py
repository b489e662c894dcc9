"""Your result equals attention with -100 as minus infinity: visible scores can be far lower, and future keys
then win.
"""

import torch


def causal_attention(q, k, v):
    T, S = q.shape[-2], k.shape[-2]
    visible = torch.ones(T, S, dtype=torch.bool).tril(S - T)
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(~visible, -100.0)
    return torch.softmax(scores, dim=-1) @ v
