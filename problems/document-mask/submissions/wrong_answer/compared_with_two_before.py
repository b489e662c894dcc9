"""Your result compares each id with that of two tokens before: the neighbour decides."""

import torch.nn.functional as F


def document_mask(doc_ids):
    number = F.pad((doc_ids[:, 2:] != doc_ids[:, :-2]).cumsum(1), (2, 0))[:, : doc_ids.shape[1]]
    same = number[:, :, None] == number[:, None, :]
    return same.tril()
