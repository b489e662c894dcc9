"""Your counts add up the visible pairs of a tile in eight bits: a tile with 256 of them looks empty."""

import torch


def block_stats(mask, block):
    full = partial = skipped = 0
    for rows in mask.split(block, 0):
        for tile in rows.split(block, 1):
            visible = int(tile.sum(dtype=torch.uint8))
            if visible == 0:
                skipped += 1
            elif visible == tile.numel() % 256:
                full += 1
            else:
                partial += 1
    return full, partial, skipped
