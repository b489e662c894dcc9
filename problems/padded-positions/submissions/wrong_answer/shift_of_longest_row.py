"""Your result shifts all rows by the least padding: each row has its own."""

import torch


def padded_positions(attention_mask):
    first = attention_mask.argmax(1).min()
    return (torch.arange(attention_mask.shape[1]) - first) * attention_mask
