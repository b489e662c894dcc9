"""Your positions begin at 1: cumsum counts the token itself, and the first one stands at 0."""


def padded_positions(attention_mask):
    counted = attention_mask.cumsum(-1)
    return counted * attention_mask
