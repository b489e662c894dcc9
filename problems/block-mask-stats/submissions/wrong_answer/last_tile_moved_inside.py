"""Your counts move the last tiles back inside the mask so that they have the full size: elements of their
neighbours then decide too.
"""


def block_stats(mask, block):
    T, S = mask.shape
    full = partial = skipped = 0
    for i in range(0, T, block):
        for j in range(0, S, block):
            top, left = max(0, min(i, T - block)), max(0, min(j, S - block))
            tile = mask[top : top + block, left : left + block]
            if tile.all():
                full += 1
            elif tile.any():
                partial += 1
            else:
                skipped += 1
    return full, partial, skipped
