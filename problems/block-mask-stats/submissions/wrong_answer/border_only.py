"""Your counts look at the border of a tile only: what lies inside can differ."""

import torch


def block_stats(mask, block):
    full = partial = skipped = 0
    for rows in mask.split(block, 0):
        for tile in rows.split(block, 1):
            border = torch.cat([tile[0], tile[-1], tile[:, 0], tile[:, -1]])
            if border.all():
                full += 1
            elif border.any():
                partial += 1
            else:
                skipped += 1
    return full, partial, skipped
