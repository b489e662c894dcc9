"""Your values are right, the gradients are NaN: exp overflows at hidden keys, and torch.where sends 0 * inf back."""

import math

import torch


def varlen_attention(q, k, v, cu_seqlens):
    i = torch.arange(q.shape[0])
    sequence = torch.searchsorted(cu_seqlens.long(), i, right=True)
    visible = (sequence[:, None] == sequence) & (i <= i[:, None])
    q, k, v = q.transpose(0, 1), k.transpose(0, 1), v.transpose(0, 1)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    largest = scores.detach().masked_fill(~visible, -math.inf).amax(-1, keepdim=True)
    weights = torch.where(visible, torch.exp(scores - largest), 0.0)
    return (weights / weights.sum(-1, keepdim=True) @ v).transpose(0, 1)
