"""Your projections are as wide as one head: each takes the whole d_model to d_model."""

import math

import torch.nn.functional as F
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads, dropout=0.0):
        super().__init__()
        self.n_heads = n_heads
        self.dropout = dropout
        self.W_q = nn.Linear(d_model // n_heads, d_model // n_heads, bias=False)
        self.W_k = nn.Linear(d_model // n_heads, d_model // n_heads, bias=False)
        self.W_v = nn.Linear(d_model // n_heads, d_model // n_heads, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def split(self, y):
        B, T, C = y.shape
        return y.reshape(B, T, self.n_heads, C // self.n_heads).transpose(1, 2)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.W_q(self.split(x)), self.W_k(self.split(x)), self.W_v(self.split(x))
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        weights = scores.softmax(dim=-1)
        weights = F.dropout(weights, self.dropout, self.training)
        y = (weights @ v).transpose(1, 2).reshape(B, T, C)
        return self.W_o(y)
