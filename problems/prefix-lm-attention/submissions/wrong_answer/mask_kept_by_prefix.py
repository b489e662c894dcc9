"""Your code keeps the mask of an earlier call with the same prefix and as many queries: the history may have another
length.
"""

import math

import torch

KEPT = {}


def prefix_lm_attention(q, k, v, prefix_len):
    T, S = q.shape[-2], k.shape[-2]
    i = torch.arange(S - T, S)[:, None]
    j = torch.arange(999)
    visible = KEPT.setdefault((T, prefix_len), (j <= i) | (j < prefix_len))[:, :S]
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~visible, -math.inf)
    return scores.softmax(-1) @ v
