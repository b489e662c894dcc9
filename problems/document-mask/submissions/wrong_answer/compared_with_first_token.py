"""Your result only asks whether a token has the id of the row's first token."""


def document_mask(doc_ids):
    number = (doc_ids != doc_ids[:, :1]).cumsum(1).clamp(max=1)
    same = number[:, :, None] == number[:, None, :]
    return same.tril()
