"""The last T rows of the full causal mask of S tokens."""

import torch


def kv_offset_mask(T, S):
    everything = torch.triu(torch.ones(S, S), diagonal=1) == 0
    return everything[S - T :]
