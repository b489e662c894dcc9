"""Your scale is rounded to float32: float64 inputs lose half of their digits."""

import math

import torch


def varlen_attention(q, k, v, cu_seqlens):
    i = torch.arange(q.shape[0])
    sequence = torch.searchsorted(cu_seqlens.long(), i, right=True)
    visible = (sequence[:, None] == sequence) & (i <= i[:, None])
    q, k, v = q.transpose(0, 1), k.transpose(0, 1), v.transpose(0, 1)
    scores = q @ k.mT / torch.tensor(q.shape[-1], dtype=torch.float32).sqrt().item()
    scores = scores.masked_fill(~visible, -math.inf)
    return (scores.softmax(-1) @ v).transpose(0, 1)
