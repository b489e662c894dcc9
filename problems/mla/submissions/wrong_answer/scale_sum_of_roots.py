"""Your result equals scores divided by sqrt(d_nope) + sqrt(d_rope): the widths are added first,
then comes the root.
"""

import math

import torch


def mla_attention(q_nope, q_rope, k_nope, k_rope, v, kv_rank):
    T, S = q_nope.shape[-2], k_nope.shape[-2]
    scores = (q_nope @ k_nope.mT + q_rope @ k_rope.mT) / (q_nope.shape[-1] ** 0.5 + q_rope.shape[-1] ** 0.5)
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, -math.inf)
    return scores.softmax(-1) @ v
