"""Your result multiplies exponentials of the two parts, each under its own maximum: where the parts oppose each other,
only 0/0 remains.
"""

import math

import torch


def mla_attention(q_nope, q_rope, k_nope, k_rope, v, kv_rank):
    T, S = q_nope.shape[-2], k_nope.shape[-2]
    width = q_nope.shape[-1] + q_rope.shape[-1]
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    weights = 1.0
    for part in (q_nope @ k_nope.mT, q_rope @ k_rope.mT):
        part = (part / math.sqrt(width)).masked_fill(future, -math.inf)
        weights = weights * torch.exp(part - part.amax(-1, keepdim=True))
    return weights / weights.sum(-1, keepdim=True) @ v
