"""Your mask is remembered by the number of keys alone: a call with another number of queries gets the rows of
the old one.
"""

import torch

masks = {}


def causal_attention(q, k, v):
    T, S = q.shape[-2], k.shape[-2]
    if S not in masks or masks[S].shape[0] < T:
        masks[S] = torch.ones(T, S, dtype=torch.bool).tril(S - T)
    visible = masks[S][:T]
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(~visible, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
