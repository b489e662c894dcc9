"""Your mask has shape [S, T]: a row is a query and a column is a key, so it must be [T, S]."""

import torch


def kv_offset_mask(T, S):
    return torch.ones(T, S, dtype=torch.bool).tril(S - T).T
