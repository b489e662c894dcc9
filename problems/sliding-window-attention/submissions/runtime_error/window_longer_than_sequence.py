"""unfold fails where the window is longer than the keys: a window may be longer than the sequence."""

import math

import torch


def sliding_window_attention(q, k, v, window):
    T, S = q.shape[-2], k.shape[-2]
    rows = []
    windows_k, windows_v = k.unfold(2, window, 1), v.unfold(2, window, 1)  # (B, H, S - window + 1, D, window)
    for i in range(S - T, S):
        if i + 1 < window:
            near_k, near_v = k[:, :, : i + 1], v[:, :, : i + 1]
        else:
            near_k, near_v = windows_k[:, :, i + 1 - window].mT, windows_v[:, :, i + 1 - window].mT
        scores = q[:, :, i - S + T, None] @ near_k.mT / math.sqrt(q.shape[-1])
        rows.append(scores.softmax(-1) @ near_v)
    return torch.cat(rows, dim=2)
