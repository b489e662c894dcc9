"""Your result equals attention that hides scores of exactly 0: zero is a score like any other."""

import math

import torch


def softcap_attention(q, k, v, cap):
    T, S = q.shape[-2], k.shape[-2]
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = cap * torch.tanh(scores / cap)
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, -math.inf)
    scores = scores.masked_fill((scores == 0) & ~torch.eye(S, dtype=torch.bool)[S - T :], -math.inf)
    return scores.softmax(-1) @ v
