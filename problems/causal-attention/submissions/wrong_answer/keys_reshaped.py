"""Your result equals attention with k reshaped to [B, H, D, S]: a reshape keeps the order of the numbers and
mixes keys.
"""

import torch


def causal_attention(q, k, v):
    T, S = q.shape[-2], k.shape[-2]
    visible = torch.ones(T, S, dtype=torch.bool).tril(S - T)
    scores = q @ k.reshape(*k.shape[:2], k.shape[-1], S) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(~visible, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
