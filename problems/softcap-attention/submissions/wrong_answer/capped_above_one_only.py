"""Your result equals a cap that is used only from 1 on: it may be smaller."""

import math

import torch


def softcap_attention(q, k, v, cap):
    T, S = q.shape[-2], k.shape[-2]
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if cap >= 1:
        scores = cap * torch.tanh(scores / cap)
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, -math.inf)
    return scores.softmax(-1) @ v
