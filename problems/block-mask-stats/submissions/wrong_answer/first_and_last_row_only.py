"""Your counts call a tile full when its first and last rows are: the rows between them count too."""


def block_stats(mask, block):
    full = partial = skipped = 0
    for rows in mask.split(block, 0):
        for tile in rows.split(block, 1):
            if tile[0].all() and tile[-1].all():
                full += 1
            elif tile.any():
                partial += 1
            else:
                skipped += 1
    return full, partial, skipped
