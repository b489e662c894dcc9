"""Your result equals attention without a mask: queries see the keys after their own position."""

import torch


def causal_attention(q, k, v):
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    return torch.softmax(scores, dim=-1) @ v
