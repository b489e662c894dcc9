"""Your values are right, but entries are cut off from autograd once they are in the cache."""

import math

import torch


def windowed_decode(qs, ks, vs, window):
    keys, values = ks[:, :, :0], vs[:, :, :0]
    rows = []
    for t in range(qs.shape[2]):
        keys = torch.cat([keys.detach(), ks[:, :, t : t + 1]], dim=2)[:, :, -window:]
        values = torch.cat([values.detach(), vs[:, :, t : t + 1]], dim=2)[:, :, -window:]
        scores = qs[:, :, t : t + 1] @ keys.mT / math.sqrt(qs.shape[-1])
        rows.append(scores.softmax(-1) @ values)
    return torch.cat(rows, dim=2)
