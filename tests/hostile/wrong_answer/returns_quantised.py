"""A quantised tensor. Seen: common in serialisers that know float types only."""
import torch


def attention(q, k, v, mask=None):
    return torch.quantize_per_tensor(torch.zeros(*q.shape[:-1], v.shape[-1]), 0.1, 0, torch.qint8)
