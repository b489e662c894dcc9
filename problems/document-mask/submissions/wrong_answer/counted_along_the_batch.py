"""Your result counts beginnings along the batch: they are counted along each row."""

import torch.nn.functional as F


def document_mask(doc_ids):
    number = F.pad((doc_ids[:, 1:] != doc_ids[:, :-1]).cumsum(0), (1, 0))
    same = number[:, :, None] == number[:, None, :]
    return same.tril()
