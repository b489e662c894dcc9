"""Your result equals a softmax by hand without the row's maximum taken off: exp overflows for large scores and
is 0/0 for very negative ones.
"""

import torch


def causal_attention(q, k, v):
    T, S = q.shape[-2], k.shape[-2]
    visible = torch.ones(T, S, dtype=torch.bool).tril(S - T)
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(~visible, float("-inf"))
    weights = torch.exp(scores)
    return weights / weights.sum(dim=-1, keepdim=True) @ v
