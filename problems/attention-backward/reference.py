"""The gradients of unmasked attention, written out."""

import math

import torch
from torch import Tensor


def attention_backward(q: Tensor, k: Tensor, v: Tensor, grad_out: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    scale = 1 / math.sqrt(q.size(-1))
    weights = torch.softmax(q @ k.transpose(-2, -1) * scale, dim=-1)  # (B, H, T, S)
    dv = weights.transpose(-2, -1) @ grad_out  # (B, H, S, T) x (B, H, T, Dv) -> (B, H, S, Dv)
    d_weights = grad_out @ v.transpose(-2, -1)  # (B, H, T, Dv) x (B, H, Dv, S) -> (B, H, T, S)
    mean = (weights * d_weights).sum(dim=-1, keepdim=True)  # (B, H, T, 1), what all weights of a row have in common
    d_scores = weights * (d_weights - mean)  # (B, H, T, S), each row sums to zero
    dq = d_scores @ k * scale  # (B, H, T, S) x (B, H, S, D) -> (B, H, T, D)
    dk = d_scores.transpose(-2, -1) @ q * scale  # (B, H, S, T) x (B, H, T, D) -> (B, H, S, D)
    return dq, dk, dv
