"""Einsum throughout, softmax by hand, heads never moved in memory."""

import torch
from torch import einsum, nn


class CausalMultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        for name in ("W_o", "W_v", "W_k", "W_q"):
            self.add_module(name, nn.Linear(d_model, d_model, bias=False))

    def forward(self, x, key_padding_mask=None):
        q, k, v = (W(x).unflatten(-1, (self.n_heads, -1)) for W in (self.W_q, self.W_k, self.W_v))
        position = torch.arange(x.shape[1], device=x.device)
        hidden = (position[None, :] > position[:, None]).expand(x.shape[0], -1, -1)
        if key_padding_mask is not None:
            hidden = hidden | key_padding_mask[:, None, :]
        hidden = hidden[:, None]
        scores = einsum("bthd,bshd->bhts", q * q.shape[-1] ** -0.5, k).masked_fill(hidden, -torch.inf)
        largest = scores.detach().amax(-1, keepdim=True).clamp(min=torch.finfo(x.dtype).min)
        weights = torch.exp(scores - largest)
        total = weights.sum(-1, keepdim=True)
        weights = weights / total.masked_fill(total == 0, 1.0)
        return self.W_o(einsum("bhts,bshd->bthd", weights, v).flatten(2))
