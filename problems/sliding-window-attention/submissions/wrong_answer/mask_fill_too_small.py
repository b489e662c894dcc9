"""Your result equals hidden keys filled with -10000: scores may be lower than that, and then hidden keys win."""

import math

import torch


def sliding_window_attention(q, k, v, window):
    T, S = q.shape[-2], k.shape[-2]
    i = torch.arange(S - T, S)[:, None]
    j = torch.arange(S)
    visible = (j <= i) & (j > i - window)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~visible, -1e4)
    return scores.softmax(-1) @ v
