"""Sliding-window attention: each query sees itself and the `window - 1` positions before it."""

from torch import Tensor


def sliding_window_attention(q: Tensor, k: Tensor, v: Tensor, window: int) -> Tensor:
    # q: [B, H, T, D], the last T of S positions
    # k: [B, H, S, D]
    # v: [B, H, S, Dv]
    # window >= 1
    raise NotImplementedError  # [B, H, T, Dv]
