"""Your cache has the default dtype of torch, not that of the inputs: the caller may have set another default."""

import math

import torch


def windowed_decode(qs, ks, vs, window):
    B, H, T, D = qs.shape
    keys, values = torch.zeros(2, B, H, window, D).unbind(0)
    rows = []
    for t in range(T):
        keys, values = keys.clone(), values.clone()
        keys[:, :, t % window] = ks[:, :, t]
        values[:, :, t % window] = vs[:, :, t]
        filled = min(t + 1, window)
        scores = qs[:, :, t : t + 1] @ keys[:, :, :filled].mT.to(qs.dtype) / math.sqrt(D)
        rows.append(scores.softmax(-1) @ values[:, :, :filled].to(qs.dtype))
    return torch.cat(rows, dim=2)
