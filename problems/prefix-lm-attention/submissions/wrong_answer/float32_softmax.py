"""Your softmax always runs in float32, which costs float64 inputs half of their digits."""

import math

import torch


def prefix_lm_attention(q, k, v, prefix_len):
    T, S = q.shape[-2], k.shape[-2]
    i = torch.arange(S - T, S)[:, None]
    j = torch.arange(S)
    visible = (j <= i) | (j < prefix_len)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~visible, -math.inf)
    return scores.float().softmax(-1).to(v.dtype) @ v
