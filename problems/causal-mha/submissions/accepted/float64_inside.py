"""Batch and heads on one axis, float64 inside, cast back at the end."""

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

    def forward(self, x, key_padding_mask=None):
        B, T, C = x.shape
        H = self.n_heads

        def heads(layer):
            y = x.double() @ layer.weight.double().mT
            return y.reshape(B, T, H, C // H).transpose(1, 2).reshape(B * H, T, C // H)

        bias = torch.zeros(B * H, T, T, dtype=torch.float64)
        bias += torch.full((T, T), float("-inf"), dtype=torch.float64).triu(1)
        if key_padding_mask is not None:
            padding = key_padding_mask.repeat_interleave(H, dim=0)  # (B * H, T)
            bias = bias.masked_fill(padding[:, None], float("-inf"))
        scores = torch.baddbmm(bias, heads(self.W_q), heads(self.W_k).mT, alpha=(C // H) ** -0.5)
        weights = scores.softmax(-1)
        weights = torch.where(weights.isnan(), 0.0, weights)
        y = torch.bmm(weights, heads(self.W_v)).view(B, H, T, C // H).transpose(1, 2).flatten(2)
        return (y @ self.W_o.weight.double().mT).to(x.dtype)
