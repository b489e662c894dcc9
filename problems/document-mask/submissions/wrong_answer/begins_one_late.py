"""Your result begins each document one token late: its first token still belongs to the one before."""

import torch.nn.functional as F


def document_mask(doc_ids):
    number = F.pad((doc_ids[:, 1:] != doc_ids[:, :-1]).cumsum(1), (2, 0))[:, :-1]
    same = number[:, :, None] == number[:, None, :]
    return same.tril()
