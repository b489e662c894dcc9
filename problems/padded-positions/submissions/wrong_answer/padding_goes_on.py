"""Your positions go on counting through padding on the right: it must be 0 there."""

import torch


def padded_positions(attention_mask):
    first = attention_mask.argmax(1, keepdim=True)
    return (torch.arange(attention_mask.shape[1]) - first).clamp(min=0)
