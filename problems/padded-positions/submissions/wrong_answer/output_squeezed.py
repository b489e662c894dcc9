"""Your result has lost its axes of size 1: the shape must be [B, T]."""


def padded_positions(attention_mask):
    counted = attention_mask.cumsum(-1)
    return ((counted - 1) * attention_mask).squeeze()
