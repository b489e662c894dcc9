"""Your result equals a mask that starts at the first key: query 0 sees key 0 only, and so on (`is_causal=True`
of the library does the same). With history, query i stands at position S - T + i.
"""

import torch


def causal_attention(q, k, v):
    T, S = q.shape[-2], k.shape[-2]
    visible = torch.ones(T, S, dtype=torch.bool).tril()
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(~visible, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
