"""Your mask holds 0 and -inf, to be added to scores: a bool tensor is asked for, True where a query may attend."""

import torch


def kv_offset_mask(T, S):
    return torch.full((T, S), float("-inf")).triu(S - T + 1)
