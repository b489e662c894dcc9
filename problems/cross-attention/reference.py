"""Attention of one sequence to another that may be padded."""

import math

import torch
from torch import Tensor


def cross_attention(q: Tensor, k: Tensor, v: Tensor, key_padding_mask: Tensor) -> Tensor:
    hidden = key_padding_mask[:, None, None, :]  # (B, S) -> (B, 1, 1, S): the same for all heads and queries
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (B, H, T, D) x (B, H, D, S) -> (B, H, T, S)
    # -inf would make a sequence of nothing but padding 0/0; the lowest finite number keeps it a number
    scores = scores.masked_fill(hidden, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=-1).masked_fill(hidden, 0.0)  # such a row was uniform and is now zero
    return weights @ v  # (B, H, T, S) x (B, H, S, Dv) -> (B, H, T, Dv)
