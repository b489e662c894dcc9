"""Your result counts documents in eight bits: from 256 on it counts from 0 again."""

import torch
import torch.nn.functional as F


def document_mask(doc_ids):
    number = F.pad((doc_ids[:, 1:] != doc_ids[:, :-1]).cumsum(1, dtype=torch.uint8), (1, 0))
    same = number[:, :, None] == number[:, None, :]
    return same.tril()
