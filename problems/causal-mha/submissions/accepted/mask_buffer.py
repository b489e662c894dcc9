"""A causal mask kept as a persistent buffer, added to the scores."""

import math

import torch
from torch import nn


class CausalMultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads, max_length=256):
        super().__init__()
        self.n_heads = n_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
        self.register_buffer("future", torch.full((max_length, max_length), -math.inf).triu(1))

    def forward(self, x, key_padding_mask=None):
        B, T, C = x.shape
        q = self.W_q(x).reshape(B, T, self.n_heads, -1).permute(0, 2, 1, 3)
        k = self.W_k(x).reshape(B, T, self.n_heads, -1).permute(0, 2, 3, 1)
        v = self.W_v(x).reshape(B, T, self.n_heads, -1).permute(0, 2, 1, 3)
        scores = torch.matmul(q, k) * (C // self.n_heads) ** -0.5 + self.future[:T, :T]
        if key_padding_mask is not None:
            scores = scores.masked_fill(key_padding_mask.view(B, 1, 1, T), -math.inf)
        weights = torch.nan_to_num(torch.softmax(scores, dim=-1), nan=0.0)
        return self.W_o(torch.matmul(weights, v).permute(0, 2, 1, 3).contiguous().view(B, T, C))
