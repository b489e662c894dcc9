"""Your result hides tokens with negative ids as if they were padding: every id is a document."""

import torch.nn.functional as F


def document_mask(doc_ids):
    number = F.pad((doc_ids[:, 1:] != doc_ids[:, :-1]).cumsum(1), (1, 0))
    same = number[:, :, None] == number[:, None, :]
    return same.tril() & (doc_ids >= 0)[:, None, :]
