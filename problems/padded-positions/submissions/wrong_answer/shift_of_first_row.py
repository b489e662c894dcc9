"""Your result shifts all rows by the padding of the first: each row has its own."""

import torch


def padded_positions(attention_mask):
    first = attention_mask[0].argmax()
    return (torch.arange(attention_mask.shape[1]) - first).clamp(min=0) * attention_mask
