"""Your result equals a mask by equal ids: an id that comes back later in the row is a new document."""


def document_mask(doc_ids):
    number = doc_ids
    same = number[:, :, None] == number[:, None, :]
    return same.tril()
