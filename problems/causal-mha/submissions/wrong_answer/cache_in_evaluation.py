"""In evaluation mode your module keeps keys and values of earlier calls: calls do not depend on each other."""

import torch
from torch import nn


class CausalMultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
        self.past = None

    def forward(self, x, key_padding_mask=None):
        B, T, C = x.shape
        q, k, v = (w(x).reshape(B, T, self.n_heads, -1).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        if not self.training and key_padding_mask is None:
            if self.past is not None and self.past[0].shape[0] == B:
                k, v = (torch.cat([old, new], dim=2) for old, new in zip(self.past, (k, v), strict=True))
            self.past = (k.detach(), v.detach())
        S = k.shape[2]
        hidden = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
        if key_padding_mask is not None:
            hidden = hidden | key_padding_mask[:, None, None, :]
        empty = hidden.all(-1, keepdim=True)
        scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(hidden & ~empty, float("-inf"))
        weights = scores.softmax(-1).masked_fill(empty, 0.0)
        return self.W_o((weights @ v).transpose(1, 2).reshape(B, T, C))
