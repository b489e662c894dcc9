"""Your code renumbers the caller's ids in place."""

import torch.nn.functional as F


def document_mask(doc_ids):
    number = F.pad((doc_ids[:, 1:] != doc_ids[:, :-1]).cumsum(1), (1, 0))
    doc_ids.copy_(number)
    same = number[:, :, None] == number[:, None, :]
    return same.tril()
