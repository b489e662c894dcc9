"""Your code keeps the mask of an earlier call of the same sizes: the prefix may have another length."""

import math

import torch

KEPT = {}


def prefix_lm_attention(q, k, v, prefix_len):
    T, S = q.shape[-2], k.shape[-2]
    i = torch.arange(S - T, S)[:, None]
    j = torch.arange(S)
    visible = (j <= i) | (j < prefix_len)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    visible = KEPT.setdefault((T, S), visible)
    scores = scores.masked_fill(~visible, -math.inf)
    return scores.softmax(-1) @ v
