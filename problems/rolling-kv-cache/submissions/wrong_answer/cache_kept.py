"""Your cache still holds entries of the call before: each call begins with an empty one."""

import math

import torch

CACHE = {}


def windowed_decode(qs, ks, vs, window):
    shape = (qs.shape, qs.dtype)
    keys, values = CACHE.get(shape, (ks[:, :, :0], vs[:, :, :0]))
    rows = []
    for t in range(qs.shape[2]):
        keys = torch.cat([keys, ks[:, :, t : t + 1]], dim=2)[:, :, -window:]
        values = torch.cat([values, vs[:, :, t : t + 1]], dim=2)[:, :, -window:]
        scores = qs[:, :, t : t + 1] @ keys.mT / math.sqrt(qs.shape[-1])
        rows.append(scores.softmax(-1) @ values)
    CACHE[shape] = (keys.detach(), values.detach())
    return torch.cat(rows, dim=2)
