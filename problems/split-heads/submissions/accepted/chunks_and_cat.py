"""Cuts the channels into heads, stacks them, and joins them again."""

import torch


def split_heads(x, n_heads):
    return torch.stack(x.chunk(n_heads, dim=-1), dim=1)


def merge_heads(y):
    return torch.cat(y.unbind(dim=1), dim=-1)
