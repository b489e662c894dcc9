"""Your code keeps the cap of its first call: every call has its own."""

import math

import torch

KEPT = []


def softcap_attention(q, k, v, cap):
    T, S = q.shape[-2], k.shape[-2]
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    KEPT.append(cap)
    scores = KEPT[0] * torch.tanh(scores / KEPT[0])
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, -math.inf)
    return scores.softmax(-1) @ v
