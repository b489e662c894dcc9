"""One head at a time by slices of the channels, one query at a time inside."""

import torch
from torch import nn


class CausalMultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.width = d_model // n_heads
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, key_padding_mask=None):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        if key_padding_mask is None:
            key_padding_mask = torch.zeros(x.shape[:2], dtype=torch.bool)
        heads = []
        for start in range(0, x.shape[-1], self.width):
            part = slice(start, start + self.width)
            heads.append(self.one_head(q[..., part], k[..., part], v[..., part], key_padding_mask))
        return self.W_o(torch.cat(heads, dim=-1))

    def one_head(self, q, k, v, padding):
        rows = []
        for i in range(q.shape[1]):
            scores = torch.bmm(k[:, : i + 1], q[:, i, :, None]).squeeze(-1) / self.width**0.5  # (B, i + 1)
            hidden = padding[:, : i + 1]
            empty = hidden.all(-1, keepdim=True)
            weights = scores.masked_fill(hidden & ~empty, -torch.inf).softmax(-1).masked_fill(empty, 0.0)
            rows.append(torch.bmm(weights[:, None], v[:, : i + 1]).squeeze(1))
        return torch.stack(rows, dim=1)
