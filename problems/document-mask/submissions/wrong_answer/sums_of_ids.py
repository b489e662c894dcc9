"""Your result numbers documents by a running sum of the ids: equal ids then differ, and zeros do not count."""


def document_mask(doc_ids):
    number = doc_ids.cumsum(1)
    same = number[:, :, None] == number[:, None, :]
    return same.tril()
