"""Your module wraps nn.MultiheadAttention, which this problem does not allow."""

import torch
from torch import nn


class CausalMultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.attention = nn.MultiheadAttention(d_model, n_heads, bias=False, batch_first=True)

    def forward(self, x, key_padding_mask=None):
        T = x.shape[1]
        future = torch.ones(T, T, dtype=torch.bool).triu(1)
        y, _ = self.attention(x, x, x, key_padding_mask=key_padding_mask, attn_mask=future)
        return y
