"""Your mask reaches back 128 keys only: the whole cache must be visible, however long it is."""

import torch


def kv_offset_mask(T, S):
    mask = torch.ones(T, S, dtype=torch.bool).tril(S - T)
    return mask & ~torch.ones(T, S, dtype=torch.bool).tril(S - T - 128)
