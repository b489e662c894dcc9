"""Your mask is cut from a table of 512 by 512: a longer history is not in it."""

import torch

_table = torch.ones(512, 512, dtype=torch.bool).tril()


def kv_offset_mask(T, S):
    return _table[S - T : S, :S]
