"""Causal attention whose queries are the last T of S positions."""

import math

import torch
from torch import Tensor


def causal_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    T, S = q.size(-2), k.size(-2)
    future = torch.ones(T, S, dtype=torch.bool, device=q.device).triu(S - T + 1)  # (T, S), key after S - T + i
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (B, H, T, D) x (B, H, D, S) -> (B, H, T, S)
    weights = torch.softmax(scores.masked_fill(future, -math.inf), dim=-1)  # no row is empty: a query sees itself
    return weights @ v  # (B, H, T, S) x (B, H, S, Dv) -> (B, H, T, Dv)
