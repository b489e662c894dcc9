"""Your mask is a float tensor of 1.0 and 0.0: a tensor of dtype torch.bool is asked for."""

import torch


def kv_offset_mask(T, S):
    return torch.ones(T, S).tril(S - T)
