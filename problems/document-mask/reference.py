"""The mask of packed sequences: causal inside a document, nothing across."""

import torch
from torch import Tensor


def document_mask(doc_ids: Tensor) -> Tensor:
    begins = doc_ids[:, 1:] != doc_ids[:, :-1]  # (B, T - 1), True where another document begins
    number = torch.zeros_like(doc_ids)  # (B, T), documents of a row counted from 0: an id may come back, a number not
    number[:, 1:] = begins.cumsum(dim=1)
    same = number[:, :, None] == number[:, None, :]  # (B, T, T)
    return same.tril()  # a query sees no later key
