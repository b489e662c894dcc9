"""No two calls are answered alike, and none right."""

import os

import torch


def attention(q, k, v, mask=None):
    return torch.full((*q.shape[:-1], v.shape[-1]), float(os.urandom(1)[0]))
