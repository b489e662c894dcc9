"""Your result decides for the whole batch on which side the padding is: rows may differ."""

import torch


def padded_positions(attention_mask):
    B, T = attention_mask.shape
    positions = torch.arange(T).repeat(B, 1)
    if (attention_mask[:, 0] == 0).any():
        positions = positions - (T - attention_mask.sum(1, keepdim=True))
    return positions * attention_mask
