"""Causal attention in which a learned logit per head takes part in the softmax and is then dropped."""

import math

import torch
from torch import Tensor


def sink_attention(q: Tensor, k: Tensor, v: Tensor, sinks: Tensor) -> Tensor:
    B, H, T, D = q.shape
    S = k.size(-2)
    scores = q @ k.transpose(-2, -1) / math.sqrt(D)  # (B, H, T, S)
    future = torch.ones(T, S, dtype=torch.bool, device=q.device).triu(S - T + 1)
    scores = scores.masked_fill(future, float("-inf"))
    column = sinks[:, None, None].expand(B, H, T, 1)  # not scaled, not masked
    weights = torch.cat([scores, column], dim=-1).softmax(dim=-1)  # (B, H, T, S + 1)
    return weights[..., :-1] @ v  # (B, H, T, Dv): what the sink took is lost
