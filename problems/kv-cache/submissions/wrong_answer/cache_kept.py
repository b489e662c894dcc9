"""Your code keeps a cache of its own and adds to it with each call: the cache is what the caller hands in."""

import torch

kept = {}


def cached_attention(q, k_new, v_new, k_past=None, v_past=None):
    k, v = k_new, v_new
    name = (k.shape[:2], k.shape[3], v.shape[3], k.dtype)
    if k_past is None:
        kept[name] = (k, v)
    else:
        k, v = kept[name] = tuple(
            torch.cat([a, b], dim=2) for a, b in zip(kept.get(name, (k_past, v_past)), (k, v), strict=True)
        )
    T, S = q.shape[2], k.shape[2]
    scores = q @ k.mT * q.shape[-1] ** -0.5
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    weights = scores.masked_fill(future, float("-inf")).softmax(dim=-1)
    return weights @ v
