"""Your result equals attention scaled by sqrt(kv_rank), the width of the latent: the scale belongs to the width of the
query, d_nope + d_rope.
"""

import math

import torch


def mla_attention(q_nope, q_rope, k_nope, k_rope, v, kv_rank):
    T, S = q_nope.shape[-2], k_nope.shape[-2]
    width = kv_rank
    scores = (q_nope @ k_nope.mT + q_rope @ k_rope.mT) / math.sqrt(width)
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, -math.inf)
    return scores.softmax(-1) @ v
