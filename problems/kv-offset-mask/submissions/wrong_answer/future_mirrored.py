"""Your mask keeps the other side of the diagonal: each token sees itself and the keys after it instead of those
before.
"""

import torch


def kv_offset_mask(T, S):
    return torch.ones(T, S, dtype=torch.bool).triu(S - T)
