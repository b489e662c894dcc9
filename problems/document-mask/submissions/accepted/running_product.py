"""A key stays visible as long as no document begins after it: a running product along the queries."""

import torch


def document_mask(doc_ids):
    T = doc_ids.shape[1]
    goes_on = torch.cat([torch.zeros_like(doc_ids[:, :1]), (doc_ids[:, 1:] == doc_ids[:, :-1]).long()], dim=1)
    after = torch.ones(T, T, dtype=torch.int64).tril(-1)
    links = torch.where(after == 1, goes_on[:, :, None], 1)
    return (links.cumprod(dim=1) * torch.ones(T, T, dtype=torch.int64).tril()).bool()
