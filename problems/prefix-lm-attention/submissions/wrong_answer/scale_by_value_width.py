"""Your result equals attention scaled by sqrt(Dv): the scale belongs to the width of queries and keys."""

import math

import torch


def prefix_lm_attention(q, k, v, prefix_len):
    T, S = q.shape[-2], k.shape[-2]
    i = torch.arange(S - T, S)[:, None]
    j = torch.arange(S)
    visible = (j <= i) | (j < prefix_len)
    scores = q @ k.mT / math.sqrt(v.shape[-1])
    scores = scores.masked_fill(~visible, -math.inf)
    return scores.softmax(-1) @ v
