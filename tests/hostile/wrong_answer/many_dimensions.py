"""Returns 16 dimensions, so that a picture of the first two of each has millions of cells. Seen: common in viewers."""
import torch


def attention(q, k, v, mask=None):
    return torch.zeros([2] * 12 + [32, 32], dtype=torch.uint8)
