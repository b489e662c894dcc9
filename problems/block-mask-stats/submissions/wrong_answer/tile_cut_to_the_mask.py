"""Your counts use smaller tiles where `block` exceeds T or S: the other side must still be cut by `block`."""


def block_stats(mask, block):
    block = min(block, *mask.shape)
    full = partial = skipped = 0
    for rows in mask.split(block, 0):
        for tile in rows.split(block, 1):
            if tile.all():
                full += 1
            elif tile.any():
                partial += 1
            else:
                skipped += 1
    return full, partial, skipped
