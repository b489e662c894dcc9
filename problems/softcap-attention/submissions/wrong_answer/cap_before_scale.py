"""Your result equals scores that are capped first and scaled afterwards: the cap belongs to the scaled scores."""

import math

import torch


def softcap_attention(q, k, v, cap):
    T, S = q.shape[-2], k.shape[-2]
    scores = q @ k.mT
    scores = cap * torch.tanh(scores / cap) / math.sqrt(q.shape[-1])
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, -math.inf)
    return scores.softmax(-1) @ v
