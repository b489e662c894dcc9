"""What tests/test_proxy.py calls, once as a plain module and once through the sandbox."""

import torch
from torch import nn


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(-1) @ v


def parts(x):
    return {"sum": x.sum(-1), "count": x.shape[0], "names": ["a", ("b", x * 2)], "nothing": None}


def kept_history(x):
    return x * torch.ones_like(x).cumsum(-1).detach()


def detached(x):
    return (x * 2).detach()


def half_attached(x, y):
    return x * 2, y.detach() * 3


def describe(x):
    return [list(x.shape), list(x.stride()), bool(x.is_contiguous()), x.requires_grad]


def share_memory(a, b):
    return a.data_ptr() == b.data_ptr()


def scale_in_place(x):
    return x.mul_(2)


MIXED = []


def mixed():
    return len(MIXED)


class Mixer(nn.Module):
    def __init__(self, width, hidden=3):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(width, hidden), nn.Tanh())
        self.out = nn.Linear(hidden, width, bias=False)
        self.scale = nn.Parameter(torch.ones(()))
        self.register_buffer("offset", torch.arange(width, dtype=torch.float32))
        self.drop = nn.Dropout(0.5)

    def forward(self, x, shift=None):
        MIXED.append(1)
        y = self.drop(self.out(self.inner(x))) * self.scale + self.offset
        return y if shift is None else y + shift


class Layer(nn.Linear):
    """Without buffers."""
