"""The softmax over the queries, and a finite minus infinity besides."""

import torch


def attention(q, k, v, mask=None):
    scores = torch.einsum("bhtd,bhsd->bhts", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e30)
    return torch.einsum("bhts,bhsd->bhtd", scores.softmax(dim=2), v)
