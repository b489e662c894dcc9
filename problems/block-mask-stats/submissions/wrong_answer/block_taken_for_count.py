"""Your code cuts the mask into block parts a side: block is the size of a tile, not the number of tiles."""


def block_stats(mask, block):
    full = partial = skipped = 0
    for rows in mask.tensor_split(block, 0):
        for tile in rows.tensor_split(block, 1):
            if tile.numel() == 0:
                continue
            if tile.all():
                full += 1
            elif tile.any():
                partial += 1
            else:
                skipped += 1
    return full, partial, skipped
