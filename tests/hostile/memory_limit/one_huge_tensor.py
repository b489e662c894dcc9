"""16 GiB in one tensor. Seen: INGInious/INGInious#33."""
import torch


def attention(q, k, v, mask=None):
    return torch.ones(1 << 32).sum() + v
