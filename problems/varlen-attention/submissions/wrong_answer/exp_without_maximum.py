"""Your softmax takes exp of the raw scores without taking the row's maximum off: it overflows for large ones."""

import math

import torch


def varlen_attention(q, k, v, cu_seqlens):
    i = torch.arange(q.shape[0])
    sequence = torch.searchsorted(cu_seqlens.long(), i, right=True)
    visible = (sequence[:, None] == sequence) & (i <= i[:, None])
    q, k, v = q.transpose(0, 1), k.transpose(0, 1), v.transpose(0, 1)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    weights = torch.exp(scores) * visible
    return (weights / weights.sum(-1, keepdim=True) @ v).transpose(0, 1)
