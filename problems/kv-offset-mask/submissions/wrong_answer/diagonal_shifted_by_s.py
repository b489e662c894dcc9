"""Your mask is all True: a diagonal shifted by S hides nothing, so that new tokens see their own future."""

import torch


def kv_offset_mask(T, S):
    return torch.ones(T, S, dtype=torch.bool).tril(S)
