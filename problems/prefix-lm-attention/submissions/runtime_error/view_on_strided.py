"""Your code calls view() on inputs whose memory is not laid out that way."""

import math

import torch


def prefix_lm_attention(q, k, v, prefix_len):
    T, S = q.shape[-2], k.shape[-2]
    i = torch.arange(S - T, S)[:, None]
    j = torch.arange(S)
    visible = (j <= i) | (j < prefix_len)
    rows, columns = q.view(-1, T, q.shape[-1]), k.view(-1, S, k.shape[-1])
    scores = (rows @ columns.mT).view(*q.shape[:2], T, S) / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~visible, -math.inf)
    return scores.softmax(-1) @ v
