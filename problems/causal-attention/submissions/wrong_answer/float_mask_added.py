"""Your result equals the library's attention with a mask of ones and zeros added to the scores: that raises
visible scores by 1 and hides nothing.
"""

import torch


def causal_attention(q, k, v):
    T, S = q.shape[-2], k.shape[-2]
    visible = torch.ones(T, S, dtype=torch.bool).tril(S - T)
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores + visible.to(scores.dtype)
    return torch.softmax(scores, dim=-1) @ v
