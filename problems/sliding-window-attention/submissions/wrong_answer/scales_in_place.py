"""Your function divides q in place, so the caller's tensor changes: inputs must stay as they are."""

import math

import torch


def sliding_window_attention(q, k, v, window):
    T, S = q.shape[-2], k.shape[-2]
    i = torch.arange(S - T, S)[:, None]
    j = torch.arange(S)
    visible = (j <= i) & (j > i - window)
    q.div_(math.sqrt(q.shape[-1]))
    scores = q @ k.mT
    scores = scores.masked_fill(~visible, -math.inf)
    return scores.softmax(-1) @ v
