"""Your result lowers hidden scores by 10000 instead of replacing them: a future score of 10000 and more comes
back up.
"""

import torch


def causal_attention(q, k, v):
    T, S = q.shape[-2], k.shape[-2]
    visible = torch.ones(T, S, dtype=torch.bool).tril(S - T)
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores - 10000.0 * (~visible).to(scores.dtype)
    return torch.softmax(scores, dim=-1) @ v
