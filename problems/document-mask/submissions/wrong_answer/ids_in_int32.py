"""Your result cuts the ids to 32 bits: large ones that differ become equal."""

import torch.nn.functional as F


def document_mask(doc_ids):
    doc_ids = doc_ids.int()
    number = F.pad((doc_ids[:, 1:] != doc_ids[:, :-1]).cumsum(1), (1, 0))
    same = number[:, :, None] == number[:, None, :]
    return same.tril()
