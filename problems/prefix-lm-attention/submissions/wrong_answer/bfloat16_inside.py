"""Your result is only as exact as bfloat16: float16 inputs were computed in the coarser of the two."""

import math

import torch


def prefix_lm_attention(q, k, v, prefix_len):
    T, S = q.shape[-2], k.shape[-2]
    i = torch.arange(S - T, S)[:, None]
    j = torch.arange(S)
    visible = (j <= i) | (j < prefix_len)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~visible, -math.inf)
    if v.dtype == torch.float16:
        return (scores.bfloat16().softmax(-1) @ v.bfloat16()).half()
    return scores.softmax(-1) @ v
