"""Your result equals scores multiplied by the mask: hidden keys get the score 0, and exp(0) = 1 still counts."""

import math

import torch


def sliding_window_attention(q, k, v, window):
    T, S = q.shape[-2], k.shape[-2]
    i = torch.arange(S - T, S)[:, None]
    j = torch.arange(S)
    visible = (j <= i) & (j > i - window)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores * visible
    return scores.softmax(-1) @ v
