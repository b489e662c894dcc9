"""Your code calls view() on a mask whose memory is not laid out that way."""


def block_stats(mask, block):
    S = mask.shape[1]
    flat = mask.view(-1).tolist()
    tiles = {}
    for n, visible in enumerate(flat):
        tiles.setdefault((n // S // block, n % S // block), set()).add(visible)
    kinds = list(tiles.values())
    return kinds.count({True}), kinds.count({True, False}), kinds.count({False})
