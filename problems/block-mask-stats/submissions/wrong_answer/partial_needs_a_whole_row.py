"""Your counts call a tile partial only when one of its rows is wholly visible: a single visible pair is enough."""


def block_stats(mask, block):
    full = partial = skipped = 0
    for rows in mask.split(block, 0):
        for tile in rows.split(block, 1):
            if tile.all():
                full += 1
            elif tile.all(1).any():
                partial += 1
            else:
                skipped += 1
    return full, partial, skipped
