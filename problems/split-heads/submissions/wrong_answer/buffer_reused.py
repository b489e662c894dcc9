"""Your result lies in memory that the next call uses again: what an earlier call returned changes afterwards."""

import torch

buffers = {}


def split_heads(x, n_heads):
    B, T, W = x.shape
    return x.reshape(B, T, n_heads, W // n_heads).transpose(1, 2)


def merge_heads(y):
    B, H, T, D = y.shape
    merged = y.transpose(1, 2).reshape(B, T, H * D)
    if y.requires_grad:
        return merged
    buffer = buffers.setdefault((merged.shape, merged.dtype), torch.empty_like(merged))
    return buffer.copy_(merged)
