"""Your values are right, but the shared k_rope gets its gradient from the first head only: all heads use it, so their
gradients add up.
"""

import math

import torch


def mla_attention(q_nope, q_rope, k_nope, k_rope, v, kv_rank):
    T, S = q_nope.shape[-2], k_nope.shape[-2]
    width = q_nope.shape[-1] + q_rope.shape[-1]
    keys = torch.cat([k_rope, *[k_rope.detach()] * (q_rope.shape[1] - 1)], 1)
    scores = (q_nope @ k_nope.mT + q_rope @ keys.mT) / math.sqrt(width)
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, -math.inf)
    return scores.softmax(-1) @ v
