"""Your counts are right, but the call turns the caller's mask round in place."""


def block_stats(mask, block):
    full = [tile.all() for rows in mask.split(block, 0) for tile in rows.split(block, 1)].count(True)
    mask.logical_not_()
    hidden = [tile.all() for rows in mask.split(block, 0) for tile in rows.split(block, 1)]
    skipped = hidden.count(True)
    return full, len(hidden) - full - skipped, skipped
