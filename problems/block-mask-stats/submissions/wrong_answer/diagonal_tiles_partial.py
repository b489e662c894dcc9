"""Your counts call the tiles on the diagonal partial and look at one element of all others: that fits causal masks
only.
"""


def block_stats(mask, block):
    full = partial = skipped = 0
    for i, rows in enumerate(mask.split(block, 0)):
        for j, tile in enumerate(rows.split(block, 1)):
            if i == j and tile.numel() > 1:
                partial += 1
            elif tile[0, 0]:
                full += 1
            else:
                skipped += 1
    return full, partial, skipped
