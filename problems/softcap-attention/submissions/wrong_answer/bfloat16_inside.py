"""Your result is only as exact as bfloat16: float16 inputs were computed in the coarser of the two."""

import math

import torch


def softcap_attention(q, k, v, cap):
    T, S = q.shape[-2], k.shape[-2]
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = cap * torch.tanh(scores / cap)
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, -math.inf)
    if v.dtype == torch.float16:
        return (scores.bfloat16().softmax(-1) @ v.bfloat16()).half()
    return scores.softmax(-1) @ v
