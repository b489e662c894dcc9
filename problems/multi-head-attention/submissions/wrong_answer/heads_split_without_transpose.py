"""Your result equals heads split by a view straight to [B, H, T, D]: tokens and heads are mixed."""

import math

import torch.nn.functional as F
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads, dropout=0.0):
        super().__init__()
        self.n_heads = n_heads
        self.dropout = dropout
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def split(self, y):
        B, T, C = y.shape
        return y.reshape(B, self.n_heads, T, C // self.n_heads)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.split(self.W_q(x)), self.split(self.W_k(x)), self.split(self.W_v(x))
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        weights = scores.softmax(dim=-1)
        weights = F.dropout(weights, self.dropout, self.training)
        y = (weights @ v).transpose(1, 2).reshape(B, T, C)
        return self.W_o(y)
