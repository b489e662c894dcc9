"""Causal attention whose scores are bent softly into the range from -cap to cap."""

import math

import torch
from torch import Tensor


def softcap_attention(q: Tensor, k: Tensor, v: Tensor, cap: float) -> Tensor:
    T, S = q.size(-2), k.size(-2)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (B, H, T, S)
    capped = cap * torch.tanh(scores / cap)  # before the mask: tanh would bring -inf back to -cap
    future = torch.ones(T, S, dtype=torch.bool, device=q.device).triu(S - T + 1)
    weights = capped.masked_fill(future, -math.inf).softmax(dim=-1)  # (B, H, T, S)
    return weights @ v  # (B, H, T, Dv)
