"""Your mask has only one axis when T = 1: a single row must have shape [1, S] too."""

import torch


def kv_offset_mask(T, S):
    return torch.ones(T, S, dtype=torch.bool).tril(S - T).squeeze(0)
