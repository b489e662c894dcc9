"""Your counts leave out the smaller tiles at the bottom and right edges."""


def block_stats(mask, block):
    full = partial = skipped = 0
    for i in range(mask.shape[0] // block):
        for j in range(mask.shape[1] // block):
            tile = mask[i * block : (i + 1) * block, j * block : (j + 1) * block]
            if tile.all():
                full += 1
            elif tile.any():
                partial += 1
            else:
                skipped += 1
    return full, partial, skipped
