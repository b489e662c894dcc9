"""Your mask is all True as soon as there is a cache: with several new tokens at once they see each other's future."""

import torch


def kv_offset_mask(T, S):
    if S > T:
        return torch.ones(T, S, dtype=torch.bool)
    return torch.ones(T, S, dtype=torch.bool).tril()
