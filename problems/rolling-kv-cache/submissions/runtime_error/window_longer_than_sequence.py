"""Your code fails where the window is longer than the sequence."""

import math

import torch


def windowed_decode(qs, ks, vs, window):
    B, H, T, D = qs.shape
    at = torch.arange(window).view(window, 1).expand(window, D).expand(B, H, window, D)
    rows = []
    for t in range(T):
        start = max(0, t + 1 - window)
        n = t + 1 - start
        k, v = torch.gather(ks, 2, start + at)[:, :, :n], torch.gather(vs, 2, start + at)[:, :, :n]
        scores = qs[:, :, t : t + 1] @ k.mT / math.sqrt(D)
        rows.append(scores.softmax(-1) @ v)
    return torch.cat(rows, dim=2)
