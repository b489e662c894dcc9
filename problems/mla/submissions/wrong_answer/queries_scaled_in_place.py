"""Your code scales q_nope and q_rope in place: the caller's tensors are changed."""

import math

import torch


def mla_attention(q_nope, q_rope, k_nope, k_rope, v, kv_rank):
    T, S = q_nope.shape[-2], k_nope.shape[-2]
    width = q_nope.shape[-1] + q_rope.shape[-1]
    with torch.no_grad():
        q_nope /= math.sqrt(width)
        q_rope /= math.sqrt(width)
    scores = q_nope @ k_nope.mT + q_rope @ k_rope.mT
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    return scores.masked_fill(future, -math.inf).softmax(-1) @ v
