"""Your positions count from the start of the row, padding included: with padding on the left the first real
token stands at 0.
"""

import torch


def padded_positions(attention_mask):
    return torch.arange(attention_mask.shape[1]).expand(attention_mask.shape).clone()
