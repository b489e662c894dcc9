"""One head at a time by slices of the channels; dropout by hand."""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads, dropout=0.0):
        super().__init__()
        self.width, self.p = d_model // n_heads, dropout
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        heads = []
        for q, k, v in zip(*(W(x).split(self.width, dim=-1) for W in (self.W_q, self.W_k, self.W_v)), strict=True):
            weights = torch.softmax(q @ k.transpose(1, 2) / self.width**0.5, dim=-1)
            if self.training and self.p:
                kept = torch.rand_like(weights) >= self.p
                weights = weights * kept / (1 - self.p)
            heads.append(weights @ v)
        return self.W_o(torch.cat(heads, dim=-1))
