"""Pads, then compares the number of visible pairs of each tile with the number of pairs that exist."""

import torch
import torch.nn.functional as F


def block_stats(mask, block):
    def sums(values):
        T, S = values.shape
        padded = F.pad(values.long(), (0, -S % block, 0, -T % block))
        return padded.unflatten(0, (-1, block)).unflatten(2, (-1, block)).sum((1, 3))

    visible, existing = sums(mask), sums(torch.ones_like(mask))
    full, skipped = int((visible == existing).sum()), int((visible == 0).sum())
    return full, visible.numel() - full - skipped, skipped
