"""Your result is a new tensor of the default dtype: it must have the dtype of the input."""

import torch


def split_heads(x, n_heads):
    B, T, W = x.shape
    D = W // n_heads
    out = torch.empty(B, n_heads, T, D)
    for h in range(n_heads):
        out[:, h] = x[:, :, h * D : (h + 1) * D]
    return out


def merge_heads(y):
    B, H, T, D = y.shape
    out = torch.empty(B, T, H * D)
    for h in range(H):
        out[:, :, h * D : (h + 1) * D] = y[:, h]
    return out
