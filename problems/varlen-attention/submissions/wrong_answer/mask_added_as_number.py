"""Your result adds the bool mask to the scores: that shifts them by 1 and hides nothing."""

import math

import torch


def varlen_attention(q, k, v, cu_seqlens):
    i = torch.arange(q.shape[0])
    sequence = torch.searchsorted(cu_seqlens.long(), i, right=True)
    visible = (sequence[:, None] == sequence) & (i <= i[:, None])
    q, k, v = q.transpose(0, 1), k.transpose(0, 1), v.transpose(0, 1)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return ((scores + visible).softmax(-1) @ v).transpose(0, 1)
