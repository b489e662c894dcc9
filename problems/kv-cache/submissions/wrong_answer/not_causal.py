"""Your result has no causal mask: every new token sees all the others."""

import torch


def cached_attention(q, k_new, v_new, k_past=None, v_past=None):
    k, v = k_new, v_new
    if k_past is not None:
        k, v = torch.cat([k_past, k], dim=2), torch.cat([v_past, v], dim=2)
    scores = q @ k.mT * q.shape[-1] ** -0.5
    weights = scores.softmax(dim=-1)
    return weights @ v
