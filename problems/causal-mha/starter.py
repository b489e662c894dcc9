"""Causal multi-head self-attention with padding, as a module."""

from torch import Tensor, nn


class CausalMultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        # W_q, W_k, W_v, W_o: nn.Linear(d_model, d_model, bias=False)
        raise NotImplementedError

    def forward(self, x: Tensor, key_padding_mask: Tensor | None = None) -> Tensor:
        # x: [B, T, d_model]
        # key_padding_mask: [B, T] bool, True = padding
        raise NotImplementedError  # [B, T, d_model]
