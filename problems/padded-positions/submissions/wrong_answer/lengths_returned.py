"""Your result is the number of real tokens of each row, at every real token."""


def padded_positions(attention_mask):
    counted = attention_mask.cumsum(-1)
    return counted[:, -1:] * attention_mask
