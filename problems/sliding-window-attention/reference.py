"""Sliding-window attention with history: the queries are the last T of S positions."""

import math

import torch
from torch import Tensor


def sliding_window_attention(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    T, S = q.size(-2), k.size(-2)
    query = torch.arange(S - T, S, device=q.device)[:, None]  # (T, 1), absolute positions
    key = torch.arange(S, device=q.device)  # (S,)
    visible = (key <= query) & (key > query - window)  # (T, S), window keys a row at most
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (B, H, T, S)
    scores = scores.masked_fill(~visible, float("-inf"))
    weights = scores.softmax(dim=-1)  # (B, H, T, S)
    return weights @ v  # (B, H, T, Dv)
