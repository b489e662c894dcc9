"""Your result takes the softmax over all keys, then hides the future and divides by the rest: where the future
scores far higher, nothing is left.
"""

import torch


def cached_attention(q, k_new, v_new, k_past=None, v_past=None):
    k, v = k_new, v_new
    if k_past is not None:
        k, v = torch.cat([k_past, k], dim=2), torch.cat([v_past, v], dim=2)
    T, S = q.shape[2], k.shape[2]
    scores = q @ k.mT * q.shape[-1] ** -0.5
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    weights = scores.softmax(dim=-1).masked_fill(future, 0.0)
    weights = weights / weights.sum(dim=-1, keepdim=True)
    return weights @ v
