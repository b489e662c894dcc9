"""Your result equals cap * (2 sigmoid(s / cap) - 1), which is a tanh of s / (2 cap): near zero, scores must stay as
they are.
"""

import math

import torch


def softcap_attention(q, k, v, cap):
    T, S = q.shape[-2], k.shape[-2]
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = cap * (2 * torch.sigmoid(scores / cap) - 1)
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, -math.inf)
    return scores.softmax(-1) @ v
