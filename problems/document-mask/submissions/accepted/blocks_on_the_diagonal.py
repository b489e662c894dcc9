"""Lengths of the documents of each row, a triangle of ones for each, put on the diagonal."""

import torch


def document_mask(doc_ids):
    masks = []
    for row in doc_ids:
        _, lengths = torch.unique_consecutive(row, return_counts=True)
        blocks = [torch.ones(n, n).tril() for n in lengths.tolist()]
        masks.append(torch.block_diag(*blocks).bool())
    return torch.stack(masks)
