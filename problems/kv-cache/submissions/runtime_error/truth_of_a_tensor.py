"""Your code asks whether a tensor is true: one with several numbers is neither true nor false."""

import torch


def cached_attention(q, k_new, v_new, k_past=None, v_past=None):
    k, v = k_new, v_new
    if k_past:
        k, v = torch.cat([k_past, k], dim=2), torch.cat([v_past, v], dim=2)
    T, S = q.shape[2], k.shape[2]
    scores = q @ k.mT * q.shape[-1] ** -0.5
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    weights = scores.masked_fill(future, float("-inf")).softmax(dim=-1)
    return weights @ v
