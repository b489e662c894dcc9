"""Your code treats T and S as tensors: they are plain Python ints."""

import torch


def kv_offset_mask(T, S):
    offset = (S - T).item()
    return torch.ones(T, S, dtype=torch.bool).tril(offset)
