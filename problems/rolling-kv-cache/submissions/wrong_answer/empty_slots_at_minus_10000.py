"""Your result hides empty slots by a score of -10000: real scores may be as low."""

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
        empty = torch.arange(window) > t
        scores = qs[:, :, t : t + 1] @ keys.mT / math.sqrt(D)
        scores = scores.masked_fill(empty, -1e4)
        rows.append(scores.softmax(-1) @ values)
    return torch.cat(rows, dim=2)
