"""Your result attends to the cache alone: a new token sees itself and the new tokens before it too."""

import torch


def cached_attention(q, k_new, v_new, k_past=None, v_past=None):
    k, v = k_new, v_new
    if k_past is not None and k_past.shape[2]:
        weights = (q @ k_past.mT * q.shape[-1] ** -0.5).softmax(dim=-1)
        return weights @ v_past
    T, S = q.shape[2], k.shape[2]
    scores = q @ k.mT * q.shape[-1] ** -0.5
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    weights = scores.masked_fill(future, float("-inf")).softmax(dim=-1)
    return weights @ v
