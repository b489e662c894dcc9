"""Your merge puts the last head first."""

import torch


def split_heads(x, n_heads):
    B, T, W = x.shape
    return x.reshape(B, T, n_heads, W // n_heads).transpose(1, 2)


def merge_heads(y):
    return torch.cat(y.unbind(dim=1)[::-1], dim=-1)
