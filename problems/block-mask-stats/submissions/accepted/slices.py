"""Slices by index; they end where the tensor ends."""


def block_stats(mask, block):
    T, S = mask.shape
    kinds = []
    for i in range(0, T, block):
        for j in range(0, S, block):
            tile = mask[i : i + block, j : j + block]
            kinds.append((bool(tile.all()), bool(tile.any())))
    full = sum(every for every, some in kinds)
    skipped = sum(not some for every, some in kinds)
    return full, len(kinds) - full - skipped, skipped
