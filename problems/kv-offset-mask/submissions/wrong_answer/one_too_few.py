"""Your mask is one off: a token cannot see itself, but its own position must be True as well."""

import torch


def kv_offset_mask(T, S):
    return torch.ones(T, S, dtype=torch.bool).tril(S - T - 1)
