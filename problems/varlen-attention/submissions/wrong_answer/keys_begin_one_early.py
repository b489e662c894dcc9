"""Your keys begin one token before the sequence: the border is the first token of the sequence itself."""

import math

import torch


def varlen_attention(q, k, v, cu_seqlens):
    i = torch.arange(q.shape[0])
    sequence = torch.searchsorted(cu_seqlens.long(), i, right=True)
    visible = (i >= cu_seqlens.long()[sequence - 1][:, None] - 1) & (i <= i[:, None])
    q, k, v = q.transpose(0, 1), k.transpose(0, 1), v.transpose(0, 1)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~visible, -math.inf)
    return (scores.softmax(-1) @ v).transpose(0, 1)
