"""Your code masks with the constant -1e9, which does not fit in float16 (the lowest number is -65504)."""

import math

import torch


def sliding_window_attention(q, k, v, window):
    T, S = q.shape[-2], k.shape[-2]
    i = torch.arange(S - T, S)[:, None]
    j = torch.arange(S)
    visible = (j <= i) & (j > i - window)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~visible, -1e9)
    return scores.softmax(-1) @ v
