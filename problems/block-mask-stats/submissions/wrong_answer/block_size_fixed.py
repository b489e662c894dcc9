"""Your tiles are always two elements wide and high, as in the example: the argument block has no effect."""


def block_stats(mask, block, size=2):
    full = partial = skipped = 0
    for rows in mask.split(size, 0):
        for tile in rows.split(size, 1):
            if tile.all():
                full += 1
            elif tile.any():
                partial += 1
            else:
                skipped += 1
    return full, partial, skipped
