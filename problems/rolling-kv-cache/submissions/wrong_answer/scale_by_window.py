"""Your result equals attention scaled by the root of the number of entries: it is the width D that counts."""

import math

import torch


def windowed_decode(qs, ks, vs, window):
    keys, values = ks[:, :, :0], vs[:, :, :0]
    rows = []
    for t in range(qs.shape[2]):
        keys = torch.cat([keys, ks[:, :, t : t + 1]], dim=2)[:, :, -window:]
        values = torch.cat([values, vs[:, :, t : t + 1]], dim=2)[:, :, -window:]
        scores = qs[:, :, t : t + 1] @ keys.mT / math.sqrt(keys.shape[2])
        rows.append(scores.softmax(-1) @ values)
    return torch.cat(rows, dim=2)
