"""Your counts judge a tile by its share of visible pairs, and not exactly: a single pair that differs disappears in a
large tile.
"""


def block_stats(mask, block):
    full = partial = skipped = 0
    for rows in mask.split(block, 0):
        for tile in rows.split(block, 1):
            share = tile.float().mean().item()
            full += share > 0.999
            skipped += share == 0
            partial += 0 < share <= 0.999
    return full, partial, skipped
