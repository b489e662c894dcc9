"""Your counts treat the smaller tiles at the edges as if visible pairs filled them up: a wholly hidden one becomes
partial.
"""

import torch.nn.functional as F


def block_stats(mask, block):
    T, S = mask.shape
    padded = F.pad(mask, (0, -S % block, 0, -T % block), value=True)
    tiles = padded.unflatten(0, (-1, block)).unflatten(2, (-1, block)).transpose(1, 2).flatten(2)
    full, some = tiles.all(-1), tiles.any(-1)
    return int(full.sum()), int((some & ~full).sum()), int((~some).sum())
