"""One head and one query at a time; the norm by the length of the vector."""

import torch
from torch import nn


class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(width))

    def forward(self, x):
        wide = x if x.dtype == torch.float64 else x.float()
        length = torch.linalg.vector_norm(wide, dim=-1, keepdim=True)
        return (wide / (length**2 / x.shape[-1] + 1e-6).sqrt()).to(x.dtype) * self.weight


class Attn(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(width, width, False) for _ in range(4))

    def forward(self, x):
        split = [w(x).chunk(self.heads, dim=-1) for w in (self.W_q, self.W_k, self.W_v)]
        return self.W_o(torch.cat([self.one(q, k, v) for q, k, v in zip(*split, strict=True)], dim=-1))

    def one(self, q, k, v):
        rows = []
        for t in range(q.shape[1]):
            scores = q[:, t : t + 1] @ k[:, : t + 1].transpose(1, 2) / k.shape[-1] ** 0.5
            rows.append(torch.softmax(scores, dim=-1) @ v[:, : t + 1])
        return torch.cat(rows, dim=1)


class Mlp(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.w_gate, self.w_up = nn.Linear(width, hidden, False), nn.Linear(width, hidden, False)
        self.w_down = nn.Linear(hidden, width, False)

    def forward(self, x):
        gate = self.w_gate(x)
        return self.w_down(gate * torch.sigmoid(gate) * self.w_up(x))


class TransformerBlock(nn.Module):
    def __init__(self, d_model, n_heads, d_ff):
        super().__init__()
        self.norm1, self.attn = Norm(d_model), Attn(d_model, n_heads)
        self.norm2, self.mlp = Norm(d_model), Mlp(d_model, d_ff)

    def forward(self, x):
        x = x + self.attn(self.norm1(x))
        x = x + self.mlp(self.norm2(x))
        return x
