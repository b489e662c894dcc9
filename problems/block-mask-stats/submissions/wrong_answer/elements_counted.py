"""Your result counts the elements of the tiles of each kind: the tiles are to be counted."""


def block_stats(mask, block):
    full = partial = skipped = 0
    for rows in mask.split(block, 0):
        for tile in rows.split(block, 1):
            if tile.all():
                full += tile.numel()
            elif tile.any():
                partial += tile.numel()
            else:
                skipped += tile.numel()
    return full, partial, skipped
