# expect: WA|RTE
"""A tensor that lives inside a vmap which has ended. Seen: common in serialisers that trust the type."""
import torch

escaped = []


def attention(q, k, v, mask=None):
    torch.func.vmap(lambda x: escaped.append(x) or x)(torch.zeros(2, *q.shape[:-1], v.shape[-1]))
    return escaped[-1]
