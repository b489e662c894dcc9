"""Your result is right, but the cache grows with the sequence and old entries are only masked: the work of a
token must not grow.
"""

import math

import torch


def windowed_decode(qs, ks, vs, window):
    keys, values = ks[:, :, :0], vs[:, :, :0]
    rows = []
    for t in range(qs.shape[2]):
        keys = torch.cat([keys, ks[:, :, t : t + 1]], dim=2)
        values = torch.cat([values, vs[:, :, t : t + 1]], dim=2)
        scores = qs[:, :, t : t + 1] @ keys.mT / math.sqrt(qs.shape[-1])
        old = torch.arange(t + 1) <= t - window
        scores = scores.masked_fill(old, -math.inf)
        rows.append(scores.softmax(-1) @ values)
    return torch.cat(rows, dim=2)
