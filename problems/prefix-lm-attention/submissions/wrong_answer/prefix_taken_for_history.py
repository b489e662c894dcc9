"""Your result equals a prefix that is the history, S - T keys long: it is prefix_len long."""

import math

import torch


def prefix_lm_attention(q, k, v, prefix_len):
    T, S = q.shape[-2], k.shape[-2]
    i = torch.arange(S - T, S)[:, None]
    j = torch.arange(S)
    visible = (j <= i) | (j < S - T)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~visible, -math.inf)
    return scores.softmax(-1) @ v
