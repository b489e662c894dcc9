"""Which tiles of a mask are computed whole, which need the mask inside, which are skipped."""

from torch import Tensor


def block_stats(mask: Tensor, block: int) -> tuple[int, int, int]:
    full = partial = skipped = 0
    for rows in mask.split(block, dim=0):  # (T, S) -> (block, S), the last one may be shorter
        for tile in rows.split(block, dim=1):  # (block, S) -> (block, block), the last one may be narrower
            if tile.all():
                full += 1
            elif tile.any():
                partial += 1
            else:
                skipped += 1
    return full, partial, skipped
