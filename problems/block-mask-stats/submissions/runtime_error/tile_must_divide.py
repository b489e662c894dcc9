"""Your code reshapes the mask as if block divided T and S."""


def block_stats(mask, block):
    T, S = mask.shape
    tiles = mask.reshape(T // block, block, S // block, block)
    full = tiles.all(3).all(1)
    some = tiles.any(3).any(1)
    return int(full.sum()), int((some & ~full).sum()), int((~some).sum())
