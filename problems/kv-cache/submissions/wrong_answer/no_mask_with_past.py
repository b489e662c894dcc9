"""Your result drops the causal mask as soon as a cache is given: the tokens of a chunk see their own future."""

import torch


def cached_attention(q, k_new, v_new, k_past=None, v_past=None):
    k, v = k_new, v_new
    if k_past is not None:
        k, v = torch.cat([k_past, k], dim=2), torch.cat([v_past, v], dim=2)
    T, S = q.shape[2], k.shape[2]
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if k_past is None:
        future = torch.ones(T, S, dtype=torch.bool).triu(1)
        scores = scores.masked_fill(future, float("-inf"))
    weights = scores.softmax(dim=-1)
    return weights @ v
