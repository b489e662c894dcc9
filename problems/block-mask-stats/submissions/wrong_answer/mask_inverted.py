"""Your counts have full and skipped tiles the wrong way round: True means visible, and the order is full, partial,
skipped.
"""


def block_stats(mask, block):
    full = partial = skipped = 0
    for rows in (~mask).split(block, 0):
        for tile in rows.split(block, 1):
            if tile.all():
                full += 1
            elif tile.any():
                partial += 1
            else:
                skipped += 1
    return full, partial, skipped
