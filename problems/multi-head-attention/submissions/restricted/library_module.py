"""Your module wraps nn.MultiheadAttention, which this problem does not allow."""

from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads, dropout=0.0):
        super().__init__()
        self.attention = nn.MultiheadAttention(d_model, n_heads, dropout, bias=False, batch_first=True)

    def forward(self, x):
        return self.attention(x, x, x, need_weights=False)[0]
