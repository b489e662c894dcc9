"""Your result counts down the columns: each row is a sequence of its own."""


def padded_positions(attention_mask):
    counted = attention_mask.cumsum(0)
    return (counted - 1) * attention_mask
