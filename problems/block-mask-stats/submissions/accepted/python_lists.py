"""Plain Python over lists of bools, one pass over all elements."""

from collections import defaultdict


def block_stats(mask, block):
    tiles = defaultdict(set)
    for i, row in enumerate(mask.tolist()):
        for j, visible in enumerate(row):
            tiles[i // block, j // block].add(visible)
    kinds = list(tiles.values())
    return kinds.count({True}), kinds.count({True, False}), kinds.count({False})
