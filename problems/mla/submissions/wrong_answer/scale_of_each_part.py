"""Your result equals scores whose parts are scaled apart, by sqrt(d_nope) and sqrt(d_rope): their sum has one scale,
that of the whole width.
"""

import math

import torch


def mla_attention(q_nope, q_rope, k_nope, k_rope, v, kv_rank):
    T, S = q_nope.shape[-2], k_nope.shape[-2]
    scores = q_nope @ k_nope.mT / q_nope.shape[-1] ** 0.5 + q_rope @ k_rope.mT / q_rope.shape[-1] ** 0.5
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, -math.inf)
    return scores.softmax(-1) @ v
