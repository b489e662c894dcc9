"""A constant that float16 does not hold, written otherwise."""

import torch


def attention(q, k, v, mask=None):
    scores = torch.einsum("bhtd,bhsd->bhts", q, k) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), -1e9)
        return torch.einsum("bhts,bhsd->bhtd", scores.softmax(-1).masked_fill(~mask, 0.0), v)
    return torch.einsum("bhts,bhsd->bhtd", scores.softmax(-1), v)
