"""Your code remembers the length of the history by the number of queries: the next call with as many queries and
another history gets the old shift.
"""

import torch

shifts = {}


def causal_attention(q, k, v):
    T, S = q.shape[-2], k.shape[-2]
    visible = torch.ones(T, S, dtype=torch.bool).tril(shifts.setdefault(T, S - T))
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(~visible, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
