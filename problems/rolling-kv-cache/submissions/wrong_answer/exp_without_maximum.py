"""Your softmax takes exp of the raw scores without taking the maximum off: it overflows for large ones."""

import math

import torch


def windowed_decode(qs, ks, vs, window):
    keys, values = ks[:, :, :0], vs[:, :, :0]
    rows = []
    for t in range(qs.shape[2]):
        keys = torch.cat([keys, ks[:, :, t : t + 1]], dim=2)[:, :, -window:]
        values = torch.cat([values, vs[:, :, t : t + 1]], dim=2)[:, :, -window:]
        scores = qs[:, :, t : t + 1] @ keys.mT / math.sqrt(qs.shape[-1])
        weights = torch.exp(scores)
        rows.append(weights / weights.sum(-1, keepdim=True) @ values)
    return torch.cat(rows, dim=2)
