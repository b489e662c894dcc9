"""Causal multi-head self-attention with padding; a query that sees no key gives zeros."""

import math

import torch
from torch import Tensor, nn


class CausalMultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int) -> None:
        super().__init__()
        assert d_model % n_heads == 0
        self.n_heads = n_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x: Tensor, key_padding_mask: Tensor | None = None) -> Tensor:
        B, T, C = x.shape  # C = n_heads * D
        q = self.W_q(x).view(B, T, self.n_heads, C // self.n_heads).transpose(1, 2)  # (B, H, T, D)
        k = self.W_k(x).view(B, T, self.n_heads, C // self.n_heads).transpose(1, 2)  # (B, H, T, D)
        v = self.W_v(x).view(B, T, self.n_heads, C // self.n_heads).transpose(1, 2)  # (B, H, T, D)

        hidden = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)  # (T, T), the future
        if key_padding_mask is not None:
            hidden = hidden | key_padding_mask[:, None, None, :]  # (B, 1, T, T)
        empty = hidden.all(dim=-1, keepdim=True)  # (..., T, 1), queries that see no key

        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (B, H, T, T)
        # An empty row stays unmasked and its weights are zeroed: softmax over -inf alone would be NaN,
        # and a NaN that is replaced afterwards still comes back in the gradients.
        scores = scores.masked_fill(hidden & ~empty, float("-inf"))
        weights = scores.softmax(dim=-1).masked_fill(empty, 0.0)  # (B, H, T, T)
        y = weights @ v  # (B, H, T, D)
        return self.W_o(y.transpose(1, 2).reshape(B, T, C))  # (B, T, C)
