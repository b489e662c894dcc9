"""Your positions count from the start of the row and are 0 at padding: with padding on the left the first real
token stands at 0 too.
"""

import torch


def padded_positions(attention_mask):
    return torch.arange(attention_mask.shape[1]) * attention_mask
