"""Cell by cell in Python."""

import torch


def kv_offset_mask(T, S):
    offset = S - T
    return torch.tensor([[j <= i + offset for j in range(S)] for i in range(T)], dtype=torch.bool)
