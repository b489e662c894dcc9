"""Your positions are kept in eight bits: from 256 on they start again at 0."""

import torch


def kv_offset_mask(T, S):
    position = torch.arange(S).to(torch.uint8)
    return position <= position[S - T :, None]
