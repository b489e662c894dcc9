"""Gathers the window of each query: memory T * window, not T * S."""

import torch


def sliding_window_attention(q, k, v, window):
    T, S = q.shape[-2], k.shape[-2]
    width = min(window, S)
    at = torch.arange(S - T, S)[:, None] + torch.arange(1 - width, 1)  # (T, width)
    missing = at < 0
    at = at.clamp(min=0)
    near_k, near_v = k[:, :, at], v[:, :, at]  # (B, H, T, width, D)
    scores = (q.unsqueeze(-2) * near_k).sum(-1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(missing, -torch.inf)
    return (scores.softmax(-1).unsqueeze(-1) * near_v).sum(-2)
