"""Your result equals attention without the scale: divide the scores by sqrt(D)."""

import math

import torch


def sliding_window_attention(q, k, v, window):
    T, S = q.shape[-2], k.shape[-2]
    i = torch.arange(S - T, S)[:, None]
    j = torch.arange(S)
    visible = (j <= i) & (j > i - window)
    scores = q @ k.mT
    scores = scores.masked_fill(~visible, -math.inf)
    return scores.softmax(-1) @ v
