"""Attention of a prefix language model: everybody sees the prefix, the rest is causal."""

import math

import torch
from torch import Tensor


def prefix_lm_attention(q: Tensor, k: Tensor, v: Tensor, prefix_len: int) -> Tensor:
    T, S = q.size(-2), k.size(-2)
    query = torch.arange(S - T, S, device=q.device)[:, None]  # (T, 1), absolute positions
    key = torch.arange(S, device=q.device)  # (S,)
    visible = (key <= query) | (key < prefix_len)  # (T, S); what follows the prefix sees it anyway
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (B, H, T, S)
    weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)  # (B, H, T, S)
    return weights @ v  # (B, H, T, Dv)
