"""Your counts look at the four corners of a tile only: what lies between them can differ."""


def block_stats(mask, block):
    full = partial = skipped = 0
    for rows in mask.split(block, 0):
        for tile in rows.split(block, 1):
            corners = tile[[0, 0, -1, -1], [0, -1, 0, -1]]
            if corners.all():
                full += 1
            elif corners.any():
                partial += 1
            else:
                skipped += 1
    return full, partial, skipped
