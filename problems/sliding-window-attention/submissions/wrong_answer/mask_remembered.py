"""Your mask is remembered by the shape alone: the next call with another window gets the old one."""

import math

import torch

MASKS = {}


def sliding_window_attention(q, k, v, window):
    T, S = q.shape[-2], k.shape[-2]
    if (T, S) not in MASKS:
        i = torch.arange(S - T, S)[:, None]
        j = torch.arange(S)
        MASKS[T, S] = (j <= i) & (j > i - window)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~MASKS[T, S], -math.inf)
    return scores.softmax(-1) @ v
