"""Your mask is one off: each token sees one token of its future."""

import torch


def kv_offset_mask(T, S):
    return torch.ones(T, S, dtype=torch.bool).tril(S - T + 1)
