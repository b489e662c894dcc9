"""Your result equals one cut of the keys before the oldest query's window, then causal attention: newer queries
still see keys that have left their window.
"""

import math

import torch


def sliding_window_attention(q, k, v, window):
    T, S = q.shape[-2], k.shape[-2]
    start = max(0, S - T - window + 1)
    k, v = k[:, :, start:], v[:, :, start:]
    visible = torch.ones(T, S - start, dtype=torch.bool).tril(S - start - T)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~visible, -math.inf)
    return scores.softmax(-1) @ v
