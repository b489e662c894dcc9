"""Your code changes the weights in place although softmax still needs them: backward() fails."""

import math

import torch


def varlen_attention(q, k, v, cu_seqlens):
    i = torch.arange(q.shape[0])
    sequence = torch.searchsorted(cu_seqlens.long(), i, right=True)
    visible = (sequence[:, None] == sequence) & (i <= i[:, None])
    q, k, v = q.transpose(0, 1), k.transpose(0, 1), v.transpose(0, 1)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~visible, -math.inf).softmax(-1)
    weights.mul_(visible)
    return (weights @ v).transpose(0, 1)
