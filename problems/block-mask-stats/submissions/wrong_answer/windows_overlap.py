"""Your tiles overlap: they must begin at every block-th row and column, not at each one."""


def block_stats(mask, block):
    T, S = mask.shape
    full = partial = skipped = 0
    for i in range(max(1, T - block + 1)):
        for j in range(max(1, S - block + 1)):
            tile = mask[i : i + block, j : j + block]
            if tile.all():
                full += 1
            elif tile.any():
                partial += 1
            else:
                skipped += 1
    return full, partial, skipped
