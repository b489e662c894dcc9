"""Batch and heads on one axis, float64 inside, cast back; dropout by a Bernoulli mask."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads, dropout=0.0):
        super().__init__()
        self.n_heads, self.keep = n_heads, 1 - dropout
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        H, D = self.n_heads, C // self.n_heads

        def heads(layer):
            return layer(x).reshape(B, T, H, D).permute(0, 2, 1, 3).reshape(B * H, T, D).double()

        q, k, v = heads(self.W_q), heads(self.W_k), heads(self.W_v)
        weights = (torch.bmm(q, k.transpose(1, 2)) / D**0.5).softmax(dim=2)
        if self.training:
            weights = weights * torch.full_like(weights, self.keep).bernoulli() / self.keep
        y = torch.bmm(weights, v).to(x.dtype)
        return self.W_o(y.reshape(B, H, T, D).permute(0, 2, 1, 3).reshape(B, T, C))
