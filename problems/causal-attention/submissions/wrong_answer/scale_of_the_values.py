"""Your result equals attention scaled by sqrt(Dv), the width of the values: it is the width of queries and keys
that counts.
"""

import torch


def causal_attention(q, k, v):
    T, S = q.shape[-2], k.shape[-2]
    visible = torch.ones(T, S, dtype=torch.bool).tril(S - T)
    scores = q @ k.transpose(-2, -1) * v.shape[-1] ** -0.5
    scores = scores.masked_fill(~visible, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
