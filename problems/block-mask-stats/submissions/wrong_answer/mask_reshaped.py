"""Your tiles come from a reshape, which takes neighbours in memory: a tile is made of parts of several rows."""

import torch.nn.functional as F


def block_stats(mask, block):
    T, S = mask.shape
    tiles = F.pad(mask, (0, -S % block, 0, -T % block)).reshape(-1, block * block)
    existing = F.pad(mask | True, (0, -S % block, 0, -T % block)).reshape(-1, block * block)
    full, some = (tiles | ~existing).all(-1), tiles.any(-1)
    return int((full & some).sum()), int((some & ~full).sum()), int((~some).sum())
