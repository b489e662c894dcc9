"""Your partial count includes the full tiles: each tile belongs to one kind only."""


def block_stats(mask, block):
    full = partial = skipped = 0
    for rows in mask.split(block, 0):
        for tile in rows.split(block, 1):
            if tile.all():
                full += 1
            if tile.any():
                partial += 1
            else:
                skipped += 1
    return full, partial, skipped
