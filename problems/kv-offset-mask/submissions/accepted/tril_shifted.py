"""A lower triangle whose diagonal is moved to the right by the length of the cache."""

import torch


def kv_offset_mask(T, S):
    return torch.ones(T, S, dtype=torch.bool).tril(diagonal=S - T)
