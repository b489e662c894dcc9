"""Your result keeps only the remainder of the ids: different ones become equal."""

import torch.nn.functional as F


def document_mask(doc_ids):
    doc_ids = doc_ids % 1024
    number = F.pad((doc_ids[:, 1:] != doc_ids[:, :-1]).cumsum(1), (1, 0))
    same = number[:, :, None] == number[:, None, :]
    return same.tril()
