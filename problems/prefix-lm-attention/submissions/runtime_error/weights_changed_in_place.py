"""Your values are right, but the softmax's result is changed in place after autograd has saved it: the backward pass
fails.
"""

import math

import torch


def prefix_lm_attention(q, k, v, prefix_len):
    T, S = q.shape[-2], k.shape[-2]
    i = torch.arange(S - T, S)[:, None]
    j = torch.arange(S)
    visible = (j <= i) | (j < prefix_len)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~visible, -math.inf)
    weights = scores.softmax(-1)
    weights.masked_fill_(~visible, 0.0)
    return weights @ v
