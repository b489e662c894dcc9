"""Your result equals attention without a mask: after the prefix, no query may see the future."""

import math


def prefix_lm_attention(q, k, v, prefix_len):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.softmax(-1) @ v
