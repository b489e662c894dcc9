"""Causal attention of new tokens over the cache and themselves."""

import math

import torch
from torch import Tensor


def cached_attention(
    q: Tensor, k_new: Tensor, v_new: Tensor, k_past: Tensor | None = None, v_past: Tensor | None = None
) -> Tensor:
    k = k_new if k_past is None else torch.cat([k_past, k_new], dim=-2)  # (B, H, S, D), S = P + T
    v = v_new if v_past is None else torch.cat([v_past, v_new], dim=-2)  # (B, H, S, Dv)
    T, S = q.size(-2), k.size(-2)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (B, H, T, S)
    future = torch.ones(T, S, dtype=torch.bool, device=q.device).triu(S - T + 1)  # new token i stands at P + i
    return scores.masked_fill(future, float("-inf")).softmax(dim=-1) @ v  # (B, H, T, Dv)
