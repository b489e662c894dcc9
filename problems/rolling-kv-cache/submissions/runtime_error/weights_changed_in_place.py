"""Your code divides the weights in place although softmax still needs them: backward() fails."""

import math

import torch


def windowed_decode(qs, ks, vs, window):
    keys, values = ks[:, :, :0], vs[:, :, :0]
    rows = []
    for t in range(qs.shape[2]):
        keys = torch.cat([keys, ks[:, :, t : t + 1]], dim=2)[:, :, -window:]
        values = torch.cat([values, vs[:, :, t : t + 1]], dim=2)[:, :, -window:]
        scores = qs[:, :, t : t + 1] @ keys.mT / math.sqrt(qs.shape[-1])
        weights = scores.softmax(-1)
        weights.div_(weights.sum(-1, keepdim=True))
        rows.append(weights @ values)
    return torch.cat(rows, dim=2)
