"""Exceptions, and inputs changed in place."""
import torch
from torch import nn


def attention(q, k):
    q.add_(1)
    return q + k


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        raise ValueError("no way forward")
