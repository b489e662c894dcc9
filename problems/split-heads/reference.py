"""Channels to heads and back."""

from torch import Tensor


def split_heads(x: Tensor, n_heads: int) -> Tensor:
    B, T, width = x.shape
    heads = x.reshape(B, T, n_heads, width // n_heads)  # (B, T, H * D) -> (B, T, H, D), memory order unchanged
    return heads.transpose(1, 2)  # (B, H, T, D)


def merge_heads(y: Tensor) -> Tensor:
    B, H, T, D = y.shape
    return y.transpose(1, 2).reshape(B, T, H * D)  # (B, H, T, D) -> (B, T, H, D) -> (B, T, H * D)
