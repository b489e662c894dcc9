"""Your result equals weights that are capped after the softmax: the cap belongs to the scores."""

import math

import torch


def softcap_attention(q, k, v, cap):
    T, S = q.shape[-2], k.shape[-2]
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, -math.inf)
    return cap * torch.tanh(scores.softmax(-1) / cap) @ v
