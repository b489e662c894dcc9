"""Your mask hides the cache: only the new tokens see each other, but each of them must see the whole history."""

import torch


def kv_offset_mask(T, S):
    mask = torch.zeros(T, S, dtype=torch.bool)
    mask[:, S - T :] = torch.ones(T, T, dtype=torch.bool).tril()
    return mask
