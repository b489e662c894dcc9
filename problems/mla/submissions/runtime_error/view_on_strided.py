"""Your code calls view() on inputs whose memory is not laid out that way."""

import math

import torch


def mla_attention(q_nope, q_rope, k_nope, k_rope, v, kv_rank):
    T, S = q_nope.shape[-2], k_nope.shape[-2]
    width = q_nope.shape[-1] + q_rope.shape[-1]
    scores = q_nope.view(-1, T, q_nope.shape[-1]) @ k_nope.view(-1, S, k_nope.shape[-1]).mT
    scores = (scores.view(*q_nope.shape[:2], T, S) + q_rope @ k_rope.mT) / math.sqrt(width)
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, -math.inf)
    return scores.softmax(-1) @ v
