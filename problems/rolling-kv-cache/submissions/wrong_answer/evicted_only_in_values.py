"""Your result lets keys leave the cache, but gives them values from its other end: keys and values must leave
together.
"""

import math

import torch


def windowed_decode(qs, ks, vs, window):
    keys, values = ks[:, :, :0], vs[:, :, :0]
    rows = []
    for t in range(qs.shape[2]):
        keys = torch.cat([keys, ks[:, :, t : t + 1]], dim=2)[:, :, -window:]
        values = torch.cat([values, vs[:, :, t : t + 1]], dim=2)
        scores = qs[:, :, t : t + 1] @ keys.mT / math.sqrt(qs.shape[-1])
        rows.append(scores.softmax(-1) @ values[:, :, : keys.shape[2]])
    return torch.cat(rows, dim=2)
