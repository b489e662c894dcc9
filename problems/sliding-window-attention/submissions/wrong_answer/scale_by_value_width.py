"""Your result equals attention scaled by sqrt(Dv), the width of the values: the scale belongs to the width of queries
and keys.
"""

import math

import torch


def sliding_window_attention(q, k, v, window):
    T, S = q.shape[-2], k.shape[-2]
    i = torch.arange(S - T, S)[:, None]
    j = torch.arange(S)
    visible = (j <= i) & (j > i - window)
    scores = q @ k.mT / math.sqrt(v.shape[-1])
    scores = scores.masked_fill(~visible, -math.inf)
    return scores.softmax(-1) @ v
