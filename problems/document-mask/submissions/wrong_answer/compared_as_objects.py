"""Your code compares ids with `is`, which asks for the same object: Python makes large numbers anew, and equal ones
count as different.
"""

import torch


def document_mask(doc_ids):
    B, T = doc_ids.shape
    mask = torch.zeros(B, T, T, dtype=torch.bool)
    for b, ids in enumerate(doc_ids.tolist()):
        begin = 0
        for i in range(T):
            if i > 0 and ids[i] is not ids[i - 1]:
                begin = i
            mask[b, i, begin : i + 1] = True
    return mask
