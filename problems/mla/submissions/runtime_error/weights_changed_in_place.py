"""Your values are right, but the softmax's result is changed in place after autograd has saved it: the backward pass
fails.
"""

import math

import torch


def mla_attention(q_nope, q_rope, k_nope, k_rope, v, kv_rank):
    T, S = q_nope.shape[-2], k_nope.shape[-2]
    width = q_nope.shape[-1] + q_rope.shape[-1]
    scores = (q_nope @ k_nope.mT + q_rope @ k_rope.mT) / math.sqrt(width)
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, -math.inf)
    weights = scores.softmax(-1)
    weights.masked_fill_(future, 0.0)
    return weights @ v
