"""Your count goes on from row to row: each row begins at 0."""


def padded_positions(attention_mask):
    counted = attention_mask.flatten().cumsum(0).view_as(attention_mask)
    return (counted - 1) * attention_mask
