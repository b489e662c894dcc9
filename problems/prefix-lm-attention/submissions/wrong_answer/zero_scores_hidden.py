"""Your result equals attention that hides scores of exactly 0: zero is a score like any other."""

import math

import torch


def prefix_lm_attention(q, k, v, prefix_len):
    T, S = q.shape[-2], k.shape[-2]
    i = torch.arange(S - T, S)[:, None]
    j = torch.arange(S)
    visible = (j <= i) | (j < prefix_len)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~visible, -math.inf)
    scores = scores.masked_fill((scores == 0) & (j != i), -math.inf)
    return scores.softmax(-1) @ v
