"""Your mask is an integer tensor of 1 and 0: a tensor of dtype torch.bool is asked for."""

import torch


def kv_offset_mask(T, S):
    return torch.ones(T, S, dtype=torch.int64).tril(S - T)
