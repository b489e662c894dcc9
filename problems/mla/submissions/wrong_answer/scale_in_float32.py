"""Your scale is rounded to float32, which costs float64 inputs half of their digits."""

import math

import torch


def mla_attention(q_nope, q_rope, k_nope, k_rope, v, kv_rank):
    T, S = q_nope.shape[-2], k_nope.shape[-2]
    width = q_nope.shape[-1] + q_rope.shape[-1]
    scores = (q_nope @ k_nope.mT + q_rope @ k_rope.mT) / torch.tensor(float(width)).sqrt().item()
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, -math.inf)
    return scores.softmax(-1) @ v
