"""Your result equals attention in which only the first head uses the rotated part: k_rope is shared
by all heads.
"""

import math

import torch


def mla_attention(q_nope, q_rope, k_nope, k_rope, v, kv_rank):
    T, S = q_nope.shape[-2], k_nope.shape[-2]
    width = q_nope.shape[-1] + q_rope.shape[-1]
    scores = q_nope @ k_nope.mT
    position = torch.zeros_like(scores)
    position[:, :1] = q_rope[:, :1] @ k_rope.mT
    scores = (scores + position) / math.sqrt(width)
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    return scores.masked_fill(future, -math.inf).softmax(-1) @ v
