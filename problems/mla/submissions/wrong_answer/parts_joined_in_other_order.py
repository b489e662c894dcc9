"""Your result equals queries joined as [nope, rope] against keys joined as [rope, nope]: both need
the same order.
"""

import math

import torch


def mla_attention(q_nope, q_rope, k_nope, k_rope, v, kv_rank):
    T, S = q_nope.shape[-2], k_nope.shape[-2]
    width = q_nope.shape[-1] + q_rope.shape[-1]
    scores = torch.cat([q_nope, q_rope], -1) @ torch.cat([k_rope.expand(*k_nope.shape[:3], -1), k_nope], -1).mT
    scores = scores / math.sqrt(width)
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, -math.inf)
    return scores.softmax(-1) @ v
