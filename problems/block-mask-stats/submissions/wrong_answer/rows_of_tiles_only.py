"""Your counts cut the mask into bands of rows, but not into columns: a tile is block wide as well as block high."""


def block_stats(mask, block):
    full = partial = skipped = 0
    for band in mask.split(block, 0):
        if band.all():
            full += 1
        elif band.any():
            partial += 1
        else:
            skipped += 1
    return full, partial, skipped
