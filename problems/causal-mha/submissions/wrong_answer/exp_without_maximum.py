"""Your softmax takes exp of the raw scores without taking the row's maximum off: it overflows for large ones."""

import math

import torch
from torch import nn


class CausalMultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def split(self, y):
        B, T, C = y.shape
        return y.view(B, T, self.n_heads, C // self.n_heads).transpose(1, 2)

    def forward(self, x, key_padding_mask=None):
        B, T, C = x.shape
        q, k, v = self.split(self.W_q(x)), self.split(self.W_k(x)), self.split(self.W_v(x))
        keep = torch.ones(T, T, dtype=torch.bool).tril()
        if key_padding_mask is not None:
            keep = keep & ~key_padding_mask[:, None, None, :]
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(~keep, -math.inf)
        weights = scores.exp()
        weights = (weights / weights.sum(-1, keepdim=True)).nan_to_num(0.0)
        y = (weights @ v).transpose(1, 2).reshape(B, T, C)
        return self.W_o(y)
