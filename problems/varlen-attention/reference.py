"""Causal attention inside each of several sequences that lie end to end in one tensor."""

import math
from itertools import pairwise

import torch
from torch import Tensor


def varlen_attention(q: Tensor, k: Tensor, v: Tensor, cu_seqlens: Tensor) -> Tensor:
    parts = []
    for start, end in pairwise(cu_seqlens.tolist()):
        n = end - start  # may be 0
        queries = q[start:end].transpose(0, 1)  # (H, n, D)
        keys = k[start:end].transpose(0, 1)  # (H, n, D)
        values = v[start:end].transpose(0, 1)  # (H, n, D)
        scores = queries @ keys.transpose(-2, -1) / math.sqrt(q.size(-1))  # (H, n, n)
        future = torch.ones(n, n, dtype=torch.bool, device=q.device).triu(1)
        weights = scores.masked_fill(future, -math.inf).softmax(dim=-1)
        parts.append((weights @ values).transpose(0, 1))  # (n, H, D)
    return torch.cat(parts)  # (total, H, D)
