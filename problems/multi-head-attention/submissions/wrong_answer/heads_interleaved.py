"""Your result equals heads made of every n_heads-th channel: head h owns the channels from h * D to (h + 1) * D - 1."""

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
        return y.reshape(B, T, C // self.n_heads, self.n_heads).permute(0, 3, 1, 2)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.split(self.W_q(x)), self.split(self.W_k(x)), self.split(self.W_v(x))
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        weights = scores.softmax(dim=-1)
        weights = F.dropout(weights, self.dropout, self.training)
        y = (weights @ v).permute(0, 2, 3, 1).reshape(B, T, C)
        return self.W_o(y)
