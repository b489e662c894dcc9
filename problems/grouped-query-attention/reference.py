"""Grouped-query attention: several query heads share one key and value head."""

import math

import torch
from torch import Tensor


def gqa(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    group = q.size(1) // k.size(1)  # query heads that share one key head
    k = k.repeat_interleave(group, dim=1)  # (B, Hkv, S, D) -> (B, Hq, S, D): heads 0 0 1 1, not 0 1 0 1
    v = v.repeat_interleave(group, dim=1)  # (B, Hkv, S, Dv) -> (B, Hq, S, Dv)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (B, Hq, T, S)
    return torch.softmax(scores, dim=-1) @ v  # (B, Hq, T, Dv)
