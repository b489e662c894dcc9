"""Your result equals attention without the causal mask: every query sees the future."""

import math


def mla_attention(q_nope, q_rope, k_nope, k_rope, v, kv_rank):
    width = q_nope.shape[-1] + q_rope.shape[-1]
    scores = (q_nope @ k_nope.mT + q_rope @ k_rope.mT) / math.sqrt(width)
    return scores.softmax(-1) @ v
