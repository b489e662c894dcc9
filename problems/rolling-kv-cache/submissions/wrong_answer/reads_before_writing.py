"""Your tokens look into the cache before their own entry is written: a token sees itself."""

import math

import torch


def windowed_decode(qs, ks, vs, window):
    keys, values = ks[:, :, :0], vs[:, :, :0]
    rows = []
    for t in range(qs.shape[2]):
        keys = torch.cat([keys, ks[:, :, t : t + 1]], dim=2)[:, :, -window:]
        values = torch.cat([values, vs[:, :, t : t + 1]], dim=2)[:, :, -window:]
        n = keys.shape[2]
        scores = qs[:, :, t : t + 1] @ keys[:, :, : max(1, n - 1)].mT / math.sqrt(qs.shape[-1])
        rows.append(scores.softmax(-1) @ values[:, :, : max(1, n - 1)])
    return torch.cat(rows, dim=2)
