"""The usual two lines of a model library, with 0 at padding."""


def padded_positions(attention_mask):
    position_ids = attention_mask.long().cumsum(-1) - 1
    position_ids.masked_fill_(attention_mask == 0, 0)
    return position_ids
