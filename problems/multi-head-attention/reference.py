"""Multi-head self-attention, not causal, with dropout on the weights."""

import math

from torch import Tensor, nn
from torch.nn import functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int, dropout: float = 0.0) -> None:
        super().__init__()
        assert d_model % n_heads == 0
        self.n_heads, self.dropout = n_heads, dropout
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = self.split(self.W_q(x)), self.split(self.W_k(x)), self.split(self.W_v(x))  # (B, H, T, D) each
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))  # (B, H, T, T)
        weights = F.dropout(scores.softmax(dim=-1), self.dropout, self.training)
        y = weights @ v  # (B, H, T, D)
        return self.W_o(y.transpose(1, 2).flatten(2))  # (B, T, H * D)

    def split(self, y: Tensor) -> Tensor:
        return y.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)  # (B, T, H * D) -> (B, T, H, D) -> (B, H, T, D)
