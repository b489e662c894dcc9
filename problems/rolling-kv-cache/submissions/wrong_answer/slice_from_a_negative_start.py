"""Your slice starts at a negative index while the cache fills up: that counts from the end."""

import math

import torch


def windowed_decode(qs, ks, vs, window):
    rows = []
    for t in range(qs.shape[2]):
        k, v = ks[:, :, t + 1 - window : t + 1], vs[:, :, t + 1 - window : t + 1]
        scores = qs[:, :, t : t + 1] @ k.mT / math.sqrt(qs.shape[-1])
        rows.append(scores.softmax(-1) @ v)
    return torch.cat(rows, dim=2)
