"""Your mask shifts the diagonal by T instead of by S - T: the two agree only where S = 2 T."""

import torch


def kv_offset_mask(T, S):
    return torch.ones(T, S, dtype=torch.bool).tril(T)
