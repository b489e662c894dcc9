"""Finds the first real token of each row and shifts the count by it."""

import torch


def padded_positions(attention_mask):
    T = attention_mask.shape[1]
    first = attention_mask.argmax(dim=1, keepdim=True)
    return torch.where(attention_mask == 1, torch.arange(T) - first, 0)
