"""Einsum throughout; heads are an axis of their own and are never moved in memory."""

import torch
from torch import einsum, nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads, dropout=0.0):
        super().__init__()
        self.n_heads = n_heads
        self.drop = nn.Dropout(dropout)
        for name in ("W_o", "W_v", "W_k", "W_q"):
            self.add_module(name, nn.Linear(d_model, d_model, bias=False))

    def forward(self, x):
        q, k, v = (W(x).unflatten(-1, (self.n_heads, -1)) for W in (self.W_q, self.W_k, self.W_v))
        scores = einsum("bthd,bshd->bhts", q, k) * q.shape[-1] ** -0.5
        weights = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
        weights = self.drop(weights / weights.sum(dim=-1, keepdim=True))
        return self.W_o(einsum("bhts,bshd->bthd", weights, v).flatten(-2))
