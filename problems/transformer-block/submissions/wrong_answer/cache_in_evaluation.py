"""Your attention keeps keys and values of earlier calls in evaluation mode: calls do not depend on each other."""

import torch
import torch.nn.functional as F
from torch import nn


class RMSNorm(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(d_model))

    def forward(self, x):
        wide = x.to(torch.promote_types(x.dtype, torch.float32))
        mean_square = wide.pow(2).mean(-1, keepdim=True)
        return (wide / torch.sqrt(mean_square + 1e-6)).to(x.dtype) * self.weight


class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
        self.past = None

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (w(x).reshape(B, T, self.n_heads, -1).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        if not self.training:
            if self.past is not None and self.past[0].shape[0] == B:
                k, v = (torch.cat([old, new], dim=2) for old, new in zip(self.past, (k, v), strict=True))
            self.past = (k.detach(), v.detach())
        S = k.shape[2]
        scores = q @ k.mT / q.shape[-1] ** 0.5
        future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
        weights = scores.masked_fill(future, float("-inf")).softmax(-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(B, T, C))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.w_gate = nn.Linear(d_model, d_ff, bias=False)
        self.w_up = nn.Linear(d_model, d_ff, bias=False)
        self.w_down = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.w_down(F.silu(self.w_gate(x)) * self.w_up(x))


class TransformerBlock(nn.Module):
    def __init__(self, d_model, n_heads, d_ff):
        super().__init__()
        self.norm1, self.norm2 = RMSNorm(d_model), RMSNorm(d_model)
        self.attn = Attention(d_model, n_heads)
        self.mlp = FeedForward(d_model, d_ff)

    def forward(self, x):
        h = x + self.attn(self.norm1(x))
        return h + self.mlp(self.norm2(h))
