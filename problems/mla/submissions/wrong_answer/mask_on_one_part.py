"""Your result equals a mask that makes only the content's scores zero: the rotated part still sees the future."""

import math


def mla_attention(q_nope, q_rope, k_nope, k_rope, v, kv_rank):
    T, S = q_nope.shape[-2], k_nope.shape[-2]
    width = q_nope.shape[-1] + q_rope.shape[-1]
    scores = ((q_nope @ k_nope.mT).tril(S - T) + q_rope @ k_rope.mT) / math.sqrt(width)
    return scores.softmax(-1) @ v
