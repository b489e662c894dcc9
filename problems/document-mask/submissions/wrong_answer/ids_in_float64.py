"""Your result rounds the ids to float64: beyond 2 ** 53 different ones become equal."""

import torch.nn.functional as F


def document_mask(doc_ids):
    doc_ids = doc_ids.double()
    number = F.pad((doc_ids[:, 1:] != doc_ids[:, :-1]).cumsum(1), (1, 0))
    same = number[:, :, None] == number[:, None, :]
    return same.tril()
