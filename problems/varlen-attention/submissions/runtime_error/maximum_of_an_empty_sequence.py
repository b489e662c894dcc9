"""Your code takes the maximum of each row of scores by hand: an empty sequence has none."""

import math
from itertools import pairwise

import torch


def varlen_attention(q, k, v, cu_seqlens):
    bounds = cu_seqlens.tolist()
    out = torch.zeros_like(q)
    for start, end in pairwise(bounds):
        scores = torch.einsum("ihd,jhd->hij", q[start:end], k[start:end]) / math.sqrt(q.shape[-1])
        future = torch.ones(end - start, end - start, dtype=torch.bool).triu(1)
        scores = scores.masked_fill(future, -math.inf)
        weights = torch.exp(scores - (scores.amax(-1, keepdim=True) if scores.max() < 1e30 else 0.0))
        weights = weights / weights.sum(-1, keepdim=True)
        out[start:end] = torch.einsum("hij,jhd->ihd", weights, v[start:end])
    return out
