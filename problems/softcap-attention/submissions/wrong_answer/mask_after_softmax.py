"""Your result equals weights set to zero after the softmax: what is left no longer sums to one."""

import math

import torch


def softcap_attention(q, k, v, cap):
    T, S = q.shape[-2], k.shape[-2]
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = cap * torch.tanh(scores / cap)
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    return scores.softmax(-1).masked_fill(future, 0.0) @ v
