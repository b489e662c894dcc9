"""Your counts take as many columns of tiles as there are rows of tiles: T and S may differ."""


def block_stats(mask, block):
    T = mask.shape[0]
    full = partial = skipped = 0
    for i in range(0, T, block):
        for j in range(0, T, block):
            tile = mask[i : i + block, j : j + block]
            if tile.numel() and tile.all():
                full += 1
            elif tile.any():
                partial += 1
            else:
                skipped += 1
    return full, partial, skipped
