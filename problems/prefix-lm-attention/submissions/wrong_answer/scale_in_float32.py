"""Your scale is rounded to float32, which costs float64 inputs half of their digits."""

import math

import torch


def prefix_lm_attention(q, k, v, prefix_len):
    T, S = q.shape[-2], k.shape[-2]
    i = torch.arange(S - T, S)[:, None]
    j = torch.arange(S)
    visible = (j <= i) | (j < prefix_len)
    scores = q @ k.mT / torch.tensor(float(q.shape[-1])).sqrt().item()
    scores = scores.masked_fill(~visible, -math.inf)
    return scores.softmax(-1) @ v
