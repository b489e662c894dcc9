"""The library's attention and nn.RMSNorm in float32 at least; gate and up in one product."""

import torch
import torch.nn.functional as F
from torch import nn


class Norm(nn.RMSNorm):
    def __init__(self, d_model):
        super().__init__(d_model, eps=1e-6)

    def forward(self, x):
        wide = torch.promote_types(x.dtype, torch.float32)
        return F.rms_norm(x.to(wide), self.normalized_shape, self.weight.to(wide), self.eps).to(x.dtype)


class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.heads = n_heads
        for name in ("W_o", "W_v", "W_k", "W_q"):
            self.add_module(name, nn.Linear(d_model, d_model, bias=False))

    def forward(self, x):
        q, k, v = (w(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        return self.W_o(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2))


class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.w_down = nn.Linear(d_ff, d_model, bias=False)
        self.w_up = nn.Linear(d_model, d_ff, bias=False)
        self.w_gate = nn.Linear(d_model, d_ff, bias=False)

    def forward(self, x):
        gate, up = F.linear(x, torch.cat([self.w_gate.weight, self.w_up.weight])).chunk(2, dim=-1)
        return self.w_down(F.silu(gate) * up)


class TransformerBlock(nn.Module):
    def __init__(self, d_model, n_heads, d_ff):
        super().__init__()
        self.mlp = FeedForward(d_model, d_ff)
        self.norm2 = Norm(d_model)
        self.attn = Attention(d_model, n_heads)
        self.norm1 = Norm(d_model)

    def forward(self, x):
        x = x + self.attn(self.norm1(x))
        return x + self.mlp(self.norm2(x))
