"""Your mask has its rows in reverse order: row i belongs to new token i, and later ones see more."""

import torch


def kv_offset_mask(T, S):
    return torch.ones(T, S, dtype=torch.bool).tril(S - T).flip(0)
