"""Your positions count from the end: the last real token has position 0 in your result."""


def padded_positions(attention_mask):
    counted = attention_mask.flip(-1).cumsum(-1).flip(-1)
    return (counted - 1) * attention_mask
