"""Your window begins at the token and looks ahead: it must end at the token and look back."""

import math

import torch


def windowed_decode(qs, ks, vs, window):
    rows = []
    for t in range(qs.shape[2]):
        k, v = ks[:, :, t : t + window], vs[:, :, t : t + window]
        scores = qs[:, :, t : t + 1] @ k.mT / math.sqrt(qs.shape[-1])
        rows.append(scores.softmax(-1) @ v)
    return torch.cat(rows, dim=2)
