"""Your code keeps the mask of an earlier call with as many queries: the history may have another length."""

import math

import torch

KEPT = {}


def mla_attention(q_nope, q_rope, k_nope, k_rope, v, kv_rank):
    T, S = q_nope.shape[-2], k_nope.shape[-2]
    width = q_nope.shape[-1] + q_rope.shape[-1]
    scores = (q_nope @ k_nope.mT + q_rope @ k_rope.mT) / math.sqrt(width)
    future = KEPT.setdefault(T, torch.ones(T, 999, dtype=torch.bool).triu(S - T + 1))[:, :S]
    scores = scores.masked_fill(future, -math.inf)
    return scores.softmax(-1) @ v
