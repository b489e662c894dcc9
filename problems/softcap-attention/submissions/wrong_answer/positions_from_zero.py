"""Your result equals a causal mask with queries at positions 0 to T - 1: with history they are the last T of S."""

import math

import torch


def softcap_attention(q, k, v, cap):
    T, S = q.shape[-2], k.shape[-2]
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = cap * torch.tanh(scores / cap)
    future = torch.ones(T, S, dtype=torch.bool).triu(1)
    scores = scores.masked_fill(future, -math.inf)
    return scores.softmax(-1) @ v
