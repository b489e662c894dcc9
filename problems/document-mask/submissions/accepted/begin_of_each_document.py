"""Keeps for each token where its document begins, a running maximum, as the left edge of a causal mask."""

import torch


def document_mask(doc_ids):
    B, T = doc_ids.shape
    position = torch.arange(T)
    begin = torch.zeros(B, T, dtype=torch.int64)
    begin[:, 1:] = torch.where(doc_ids[:, 1:] != doc_ids[:, :-1], position[1:], 0)
    begin = begin.cummax(dim=1).values
    return (begin.unsqueeze(-1) <= position) & (position <= position[:, None])
