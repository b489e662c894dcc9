"""Answers every request."""
import torch
from torch import nn


def rope(x):
    return x


def attention(q, k):
    return torch.softmax(q @ k.mT, -1) @ k


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.qkv = nn.Linear(width, width)
        self.inner = nn.Sequential(nn.Linear(width, 2))
        self.register_buffer("mask", torch.ones(2, 2, dtype=torch.bool), persistent=False)

    def forward(self, x):
        return self.inner(self.qkv(x))
