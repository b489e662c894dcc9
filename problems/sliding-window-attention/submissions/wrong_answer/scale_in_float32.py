"""Your scale is rounded to float32: float64 inputs lose half of their digits."""

import math

import torch


def sliding_window_attention(q, k, v, window):
    T, S = q.shape[-2], k.shape[-2]
    i = torch.arange(S - T, S)[:, None]
    j = torch.arange(S)
    visible = (j <= i) & (j > i - window)
    scores = q @ k.mT / torch.tensor(math.sqrt(q.shape[-1]), dtype=torch.float32).item()
    scores = scores.masked_fill(~visible, -math.inf)
    return scores.softmax(-1) @ v
