"""Your result counts the padding: 1 means a real token."""


def padded_positions(attention_mask):
    padding = 1 - attention_mask
    counted = padding.cumsum(-1)
    return (counted - 1) * padding
