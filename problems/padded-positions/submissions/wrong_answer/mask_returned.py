"""Your result is the mask itself: positions are asked for."""


def padded_positions(attention_mask):
    return attention_mask.clone()
