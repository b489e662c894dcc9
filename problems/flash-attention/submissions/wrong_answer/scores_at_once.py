"""Your result is right, but all scores exist at once: the matrix of T x S numbers is what the blocks are to avoid."""

import torch


def flash_attention(q, k, v, block_size):
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    return torch.softmax(scores, dim=-1) @ v
