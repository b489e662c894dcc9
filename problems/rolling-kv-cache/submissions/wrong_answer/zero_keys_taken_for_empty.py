"""Your result takes a key of zeros for an empty slot: it is an entry like any other."""

import math

import torch


def windowed_decode(qs, ks, vs, window):
    B, H, T, D = qs.shape
    keys, values = qs.new_zeros(B, H, window, D), qs.new_zeros(B, H, window, D)
    rows = []
    for t in range(T):
        keys, values = keys.clone(), values.clone()
        keys[:, :, t % window] = ks[:, :, t]
        values[:, :, t % window] = vs[:, :, t]
        empty = (keys == 0).all(-1)[:, :, None] & (torch.arange(window) != t % window)
        scores = qs[:, :, t : t + 1] @ keys.mT / math.sqrt(D)
        scores = scores.masked_fill(empty, -math.inf)
        rows.append(scores.softmax(-1) @ values)
    return torch.cat(rows, dim=2)
