"""Your softmax takes exp of the raw scores without taking the row's maximum off: it overflows for large ones."""

import math

import torch


def prefix_lm_attention(q, k, v, prefix_len):
    T, S = q.shape[-2], k.shape[-2]
    i = torch.arange(S - T, S)[:, None]
    j = torch.arange(S)
    visible = (j <= i) | (j < prefix_len)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~visible, -math.inf)
    weights = scores.exp()
    return weights / weights.sum(-1, keepdim=True) @ v
