"""Holds parameters only; all the arithmetic in one forward, in float64, by einsum, cast back at the end."""

import torch
from torch import nn


class TransformerBlock(nn.Module):
    def __init__(self, d_model, n_heads, d_ff):
        super().__init__()
        self.n_heads = n_heads
        attn = {name: nn.Linear(d_model, d_model, bias=False) for name in ("W_q", "W_k", "W_v", "W_o")}
        self.attn = nn.ModuleDict(attn)
        mlp = {"w_gate": (d_model, d_ff), "w_up": (d_model, d_ff), "w_down": (d_ff, d_model)}
        self.mlp = nn.ModuleDict({name: nn.Linear(*sizes, bias=False) for name, sizes in mlp.items()})
        self.norm1 = nn.ParameterDict({"weight": torch.ones(d_model)})
        self.norm2 = nn.ParameterDict({"weight": torch.ones(d_model)})

    def forward(self, x):
        wide = x.double()
        wide = wide + self.attend(rms(wide, self.norm1["weight"].double()))
        y = rms(wide, self.norm2["weight"].double())
        gate, up, down = (self.mlp[name].weight.double() for name in ("w_gate", "w_up", "w_down"))
        z = y @ gate.mT
        return (wide + (z * z.sigmoid() * (y @ up.mT)) @ down.mT).to(x.dtype)

    def attend(self, y):
        w = {name: linear.weight.double().unflatten(0, (self.n_heads, -1)) for name, linear in self.attn.items()}
        q, k, v = (torch.einsum("btc,hdc->bhtd", y, w[name]) for name in ("W_q", "W_k", "W_v"))
        scores = torch.einsum("bhtd,bhsd->bhts", q, k) / q.shape[-1] ** 0.5
        scores += torch.full(scores.shape[-2:], float("-inf"), dtype=torch.float64).triu(1)
        heads = torch.einsum("bhts,bhsd->bthd", scores.softmax(-1), v).flatten(2)
        return heads @ self.attn["W_o"].weight.double().mT


def rms(x, weight):
    return x * (x.square().mean(-1, keepdim=True) + 1e-6).rsqrt() * weight
