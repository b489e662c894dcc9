"""Your softmax subtracts one maximum from all rows: rows far below it vanish."""

import torch


def cached_attention(q, k_new, v_new, k_past=None, v_past=None):
    k, v = k_new, v_new
    if k_past is not None:
        k, v = torch.cat([k_past, k], dim=2), torch.cat([v_past, v], dim=2)
    T, S = q.shape[2], k.shape[2]
    scores = q @ k.mT * q.shape[-1] ** -0.5
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, float("-inf"))
    weights = torch.exp(scores - scores.amax())
    weights = weights / weights.sum(dim=-1, keepdim=True)
    return weights @ v
