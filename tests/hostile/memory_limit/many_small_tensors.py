"""Small tensors without end. Seen: INGInious/INGInious#33."""
import torch


def attention(q, k, v, mask=None):
    kept = []
    while True:
        kept.append(torch.ones(1 << 14))
