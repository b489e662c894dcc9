"""Your result keeps the last position at padding on the right: it must be 0 there."""


def padded_positions(attention_mask):
    counted = attention_mask.cumsum(-1)
    return (counted - 1).clamp(min=0)
