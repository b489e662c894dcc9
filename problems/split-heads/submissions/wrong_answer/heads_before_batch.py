"""Your split returns [H, B, T, D]: the batch must stay in front of the heads."""

import torch


def split_heads(x, n_heads):
    return torch.stack(x.chunk(n_heads, dim=-1))


def merge_heads(y):
    B, H, T, D = y.shape
    return y.transpose(1, 2).reshape(B, T, H * D)
