"""Position of each real token in its row, whatever side the padding is on."""

from torch import Tensor


def padded_positions(attention_mask: Tensor) -> Tensor:
    counted = attention_mask.cumsum(dim=-1)  # (B, T): real tokens up to here, this one included
    return (counted - 1) * attention_mask  # (B, T), 0 at padding
