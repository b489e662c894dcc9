"""Your result is only as precise as bfloat16: float16 inputs were computed in it, which has 3 bits fewer."""

import math

import torch


def windowed_decode(qs, ks, vs, window):
    dtype = qs.dtype
    if dtype is torch.float16:
        qs, ks, vs = qs.bfloat16(), ks.bfloat16(), vs.bfloat16()
    keys, values = ks[:, :, :0], vs[:, :, :0]
    rows = []
    for t in range(qs.shape[2]):
        keys = torch.cat([keys, ks[:, :, t : t + 1]], dim=2)[:, :, -window:]
        values = torch.cat([values, vs[:, :, t : t + 1]], dim=2)[:, :, -window:]
        scores = qs[:, :, t : t + 1] @ keys.mT / math.sqrt(qs.shape[-1])
        rows.append(scores.softmax(-1) @ values)
    return torch.cat(rows, dim=2).to(dtype)
