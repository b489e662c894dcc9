"""Your result gives all rows the documents of the first: each row has its own."""

import torch.nn.functional as F


def document_mask(doc_ids):
    number = F.pad((doc_ids[:, 1:] != doc_ids[:, :-1]).cumsum(1), (1, 0))
    same = number[:, :, None] == number[:, None, :]
    return same[:1].tril().repeat(doc_ids.shape[0], 1, 1)
