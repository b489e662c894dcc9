"""Your result mixes up the sequences: k_rope was repeated along the batch and then reshaped, so heads get the rotated
keys of another sequence.
"""

import math

import torch


def mla_attention(q_nope, q_rope, k_nope, k_rope, v, kv_rank):
    T, S = q_nope.shape[-2], k_nope.shape[-2]
    width = q_nope.shape[-1] + q_rope.shape[-1]
    keys = k_rope.repeat(q_rope.shape[1], 1, 1, 1).reshape(*k_nope.shape[:3], -1)
    scores = (q_nope @ k_nope.mT + q_rope @ keys.mT) / math.sqrt(width)
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, -math.inf)
    return scores.softmax(-1) @ v
