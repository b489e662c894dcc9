"""Your result is -1 at padding on the left: it must be 0 there."""


def padded_positions(attention_mask):
    counted = attention_mask.cumsum(-1)
    return counted - 1
