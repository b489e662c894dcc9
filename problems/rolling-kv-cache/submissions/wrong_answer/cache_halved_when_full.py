"""Your cache drops half of its entries when it is full: only the oldest must leave."""

import math

import torch


def windowed_decode(qs, ks, vs, window):
    keys, values = ks[:, :, :0], vs[:, :, :0]
    rows = []
    for t in range(qs.shape[2]):
        keys = torch.cat([keys, ks[:, :, t : t + 1]], dim=2)
        values = torch.cat([values, vs[:, :, t : t + 1]], dim=2)
        if keys.shape[2] > window:
            keys, values = keys[:, :, -(window // 2 + 1) :], values[:, :, -(window // 2 + 1) :]
        scores = qs[:, :, t : t + 1] @ keys.mT / math.sqrt(qs.shape[-1])
        rows.append(scores.softmax(-1) @ values)
    return torch.cat(rows, dim=2)
