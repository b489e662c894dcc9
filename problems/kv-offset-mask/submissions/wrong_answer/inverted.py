"""Your mask is the wrong way round: here True means may attend, and you marked the keys that are hidden."""

import torch


def kv_offset_mask(T, S):
    return torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
