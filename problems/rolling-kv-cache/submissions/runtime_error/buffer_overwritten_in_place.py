"""Your ring buffer is overwritten in place, but backward needs what was in it: the values are right, backward()
fails.
"""

import math

import torch


def windowed_decode(qs, ks, vs, window):
    B, H, T, D = qs.shape
    keys, values = qs.new_zeros(B, H, window, D), qs.new_zeros(B, H, window, D)
    rows = []
    for t in range(T):
        keys[:, :, t % window] = ks[:, :, t]
        values[:, :, t % window] = vs[:, :, t]
        filled = min(t + 1, window)
        scores = qs[:, :, t : t + 1] @ keys[:, :, :filled].mT / math.sqrt(D)
        rows.append(scores.softmax(-1) @ values[:, :, :filled])
    return torch.cat(rows, dim=2)
