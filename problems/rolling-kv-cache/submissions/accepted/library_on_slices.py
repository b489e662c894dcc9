"""No copy at all: library attention of one query over a slice of the keys."""

import torch
import torch.nn.functional as F


def windowed_decode(qs, ks, vs, window):
    rows = []
    for t in range(qs.shape[2]):
        seen = slice(max(0, t + 1 - window), t + 1)
        rows.append(F.scaled_dot_product_attention(qs[:, :, t : t + 1], ks[:, :, seen], vs[:, :, seen]))
    return torch.cat(rows, dim=2)
