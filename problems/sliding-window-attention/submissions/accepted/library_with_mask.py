"""The library's attention with the band as its mask."""

import torch
import torch.nn.functional as F


def sliding_window_attention(q, k, v, window):
    T, S = q.shape[-2], k.shape[-2]
    ones = torch.ones(T, S, dtype=torch.bool, device=q.device)
    band = ones.tril(S - T) & ones.triu(S - T - window + 1)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=band)
