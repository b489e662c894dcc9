"""Your code marks the token at the start of each sequence: an empty one at the end has no such token."""

import math

import torch


def varlen_attention(q, k, v, cu_seqlens):
    i = torch.arange(q.shape[0])
    marks = torch.zeros(len(i), dtype=torch.long)
    marks[cu_seqlens[:-1].long()] = 1
    sequence = marks.cumsum(0)
    visible = (sequence[:, None] == sequence) & (i <= i[:, None])
    q, k, v = q.transpose(0, 1), k.transpose(0, 1), v.transpose(0, 1)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~visible, -math.inf)
    return (scores.softmax(-1) @ v).transpose(0, 1)
