"""Your values are right, but keys and values of the history are cut off from autograd: no gradient reaches them."""

import math

import torch


def prefix_lm_attention(q, k, v, prefix_len):
    T, S = q.shape[-2], k.shape[-2]
    i = torch.arange(S - T, S)[:, None]
    j = torch.arange(S)
    visible = (j <= i) | (j < prefix_len)
    k = torch.cat([k[:, :, : S - T].detach(), k[:, :, S - T :]], 2)
    v = torch.cat([v[:, :, : S - T].detach(), v[:, :, S - T :]], 2)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~visible, -math.inf)
    return scores.softmax(-1) @ v
