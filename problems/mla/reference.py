"""Multi-head latent attention after the projections: scores from a part without positions and a rotated part."""

import math

import torch
from torch import Tensor


def mla_attention(q_nope: Tensor, q_rope: Tensor, k_nope: Tensor, k_rope: Tensor, v: Tensor, kv_rank: int) -> Tensor:
    T, S = q_nope.size(-2), k_nope.size(-2)
    content = q_nope @ k_nope.transpose(-2, -1)  # (B, H, T, d_nope) x (B, H, d_nope, S) -> (B, H, T, S)
    position = q_rope @ k_rope.transpose(-2, -1)  # (B, H, T, d_rope) x (B, 1, d_rope, S) -> (B, H, T, S)
    width = q_nope.size(-1) + q_rope.size(-1)  # of the dot product; kv_rank is only the width of the cache
    scores = (content + position) / math.sqrt(width)
    future = torch.ones(T, S, dtype=torch.bool, device=v.device).triu(S - T + 1)
    weights = scores.masked_fill(future, -math.inf).softmax(dim=-1)  # (B, H, T, S)
    return weights @ v  # (B, H, T, Dv)
