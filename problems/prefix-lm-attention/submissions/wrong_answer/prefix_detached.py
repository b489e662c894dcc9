"""Your values are right, but keys and values of the prefix are cut off from autograd: no gradient reaches them."""

import math

import torch


def prefix_lm_attention(q, k, v, prefix_len):
    T, S = q.shape[-2], k.shape[-2]
    i = torch.arange(S - T, S)[:, None]
    j = torch.arange(S)
    visible = (j <= i) | (j < prefix_len)
    k = torch.cat([k[:, :, :prefix_len].detach(), k[:, :, prefix_len:]], 2)
    v = torch.cat([v[:, :, :prefix_len].detach(), v[:, :, prefix_len:]], 2)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~visible, -math.inf)
    return scores.softmax(-1) @ v
