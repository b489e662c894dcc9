"""Your layers have other names: the weights are loaded as W_q, W_k, W_v and W_o."""

import math

import torch.nn.functional as F
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads, dropout=0.0):
        super().__init__()
        self.n_heads = n_heads
        self.dropout = dropout
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.o_proj = nn.Linear(d_model, d_model, bias=False)

    def split(self, y):
        B, T, C = y.shape
        return y.reshape(B, T, self.n_heads, C // self.n_heads).transpose(1, 2)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.split(self.q_proj(x)), self.split(self.k_proj(x)), self.split(self.v_proj(x))
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        weights = scores.softmax(dim=-1)
        weights = F.dropout(weights, self.dropout, self.training)
        y = (weights @ v).transpose(1, 2).reshape(B, T, C)
        return self.o_proj(y)
