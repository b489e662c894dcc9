"""Your mask has shape [S, S]: only the rows of the T new tokens are asked for, [T, S]."""

import torch


def kv_offset_mask(T, S):
    return torch.ones(S, S, dtype=torch.bool).tril()
