"""Walks back from each token to the beginning of its document."""

import torch


def document_mask(doc_ids):
    rows = doc_ids.tolist()
    mask = torch.zeros(len(rows), len(rows[0]), len(rows[0]), dtype=torch.bool)
    for b, ids in enumerate(rows):
        begin = 0
        for i in range(len(ids)):
            if i > 0 and ids[i] != ids[i - 1]:
                begin = i
            mask[b, i, begin : i + 1] = True
    return mask
