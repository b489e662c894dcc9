"""Your code reads cu_seqlens as lengths: they are the starts, added up from 0."""

import math

import torch


def varlen_attention(q, k, v, cu_seqlens):
    i = torch.arange(q.shape[0])
    starts = cu_seqlens.long().cumsum(0)
    sequence = torch.searchsorted(starts, i, right=True)
    visible = (sequence[:, None] == sequence) & (i <= i[:, None])
    q, k, v = q.transpose(0, 1), k.transpose(0, 1), v.transpose(0, 1)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~visible, -math.inf)
    return (scores.softmax(-1) @ v).transpose(0, 1)
