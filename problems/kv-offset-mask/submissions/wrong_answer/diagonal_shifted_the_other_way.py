"""Your mask shifts the diagonal the other way: the cache moves it to the right, you moved it to the left."""

import torch


def kv_offset_mask(T, S):
    return torch.ones(T, S, dtype=torch.bool).tril(T - S)
