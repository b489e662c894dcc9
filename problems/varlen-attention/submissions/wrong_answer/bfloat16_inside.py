"""Your result is only as precise as bfloat16: float16 inputs were computed in it, which has 3 bits fewer."""

import math

import torch


def varlen_attention(q, k, v, cu_seqlens):
    i = torch.arange(q.shape[0])
    sequence = torch.searchsorted(cu_seqlens.long(), i, right=True)
    visible = (sequence[:, None] == sequence) & (i <= i[:, None])
    dtype = q.dtype
    if dtype is torch.float16:
        q, k, v = q.bfloat16(), k.bfloat16(), v.bfloat16()
    q, k, v = q.transpose(0, 1), k.transpose(0, 1), v.transpose(0, 1)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~visible, -math.inf)
    return (scores.softmax(-1) @ v).transpose(0, 1).to(dtype)
