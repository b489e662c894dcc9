"""Computes in float64 with a softmax of its own, and casts back."""

import math

import torch


def mla_attention(q_nope, q_rope, k_nope, k_rope, v, kv_rank):
    dtype = v.dtype
    q_nope, q_rope, k_nope, k_rope, v = (t.double() for t in (q_nope, q_rope, k_nope, k_rope, v))
    T, S = q_nope.shape[-2], k_nope.shape[-2]
    scale = 1 / math.sqrt(q_nope.shape[-1] + q_rope.shape[-1])
    scores = (q_nope * scale) @ k_nope.mT + (q_rope * scale) @ k_rope.mT
    scores += torch.full((T, S), -math.inf, dtype=torch.float64).triu(S - T + 1)
    weights = torch.exp(scores - scores.amax(-1, keepdim=True))
    return (weights @ v / weights.sum(-1, keepdim=True)).to(dtype)
