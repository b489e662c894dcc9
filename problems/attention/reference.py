"""Scaled dot-product attention, written out."""

import math

import torch
from torch import Tensor


def attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (B, H, T, D) x (B, H, D, S) -> (B, H, T, S)
    if mask is None:
        return torch.softmax(scores, dim=-1) @ v  # (B, H, T, S) x (B, H, S, Dv) -> (B, H, T, Dv)
    hidden = ~mask  # broadcasts to (B, H, T, S)
    # -inf would make a row without a visible key 0/0; the lowest finite number keeps it (and its gradient) a number
    scores = scores.masked_fill(hidden, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=-1).masked_fill(hidden, 0.0)  # such a row was uniform and is now zero
    return weights @ v
