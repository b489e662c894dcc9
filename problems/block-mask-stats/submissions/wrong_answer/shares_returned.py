"""Your result holds shares of all tiles: the numbers of tiles are asked for."""


def block_stats(mask, block):
    tiles = [tile for rows in mask.split(block, 0) for tile in rows.split(block, 1)]
    full = sum(bool(tile.all()) for tile in tiles)
    skipped = sum(not tile.any() for tile in tiles)
    return full / len(tiles), (len(tiles) - full - skipped) / len(tiles), skipped / len(tiles)
