"""Your result has the positions of real tokens only, in one row: the shape must be [B, T]."""


def padded_positions(attention_mask):
    counted = attention_mask.cumsum(-1)
    return (counted - 1)[attention_mask == 1]
