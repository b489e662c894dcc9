"""Your code calls view() on ids whose memory is not laid out that way."""

import torch.nn.functional as F


def document_mask(doc_ids):
    shape = doc_ids.shape
    flat = doc_ids.view(-1)
    number = F.pad((flat[1:] != flat[:-1]).cumsum(0), (1, 0)).view(shape)
    same = number[:, :, None] == number[:, None, :]
    return same.tril()
