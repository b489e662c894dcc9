"""Your result compares each id with that of the row above: the token before is its neighbour in the row."""

import torch.nn.functional as F


def document_mask(doc_ids):
    begins = F.pad(doc_ids[1:] != doc_ids[:-1], (0, 0, 1, 0))
    begins[:, 0] = False
    number = begins.cumsum(1)
    same = number[:, :, None] == number[:, None, :]
    return same.tril()
