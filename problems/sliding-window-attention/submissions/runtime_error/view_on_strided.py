"""Your code calls view() on inputs whose memory is not laid out that way."""

import math

import torch


def sliding_window_attention(q, k, v, window):
    B, H, T, D = q.shape
    S = k.shape[-2]
    i = torch.arange(S - T, S)[:, None]
    j = torch.arange(S)
    visible = (j <= i) & (j > i - window)
    q, k, v = q.view(B * H, T, D), k.view(B * H, S, D), v.view(B * H, S, -1)
    scores = torch.bmm(q, k.mT) / math.sqrt(D)
    scores = scores.masked_fill(~visible, -math.inf)
    return torch.bmm(scores.softmax(-1), v).view(B, H, T, -1)
