"""Sliding-window attention, one token after the other, with a cache of `window` entries."""

import math

import torch
from torch import Tensor


def windowed_decode(qs: Tensor, ks: Tensor, vs: Tensor, window: int) -> Tensor:
    keys, values = ks[:, :, :0], vs[:, :, :0]  # (B, H, n, D), the cache; n grows from 0 to window
    rows = []
    for q, k, v in zip(qs.split(1, dim=2), ks.split(1, dim=2), vs.split(1, dim=2), strict=True):  # (B, H, 1, D)
        keys = torch.cat([keys, k], dim=2)[:, :, -window:]  # the oldest entry leaves
        values = torch.cat([values, v], dim=2)[:, :, -window:]
        scores = q @ keys.transpose(-2, -1) / math.sqrt(q.size(-1))  # (B, H, 1, n)
        rows.append(scores.softmax(dim=-1) @ values)  # (B, H, 1, D)
    return torch.cat(rows, dim=2)  # (B, H, T, D)
