"""Your softmax subtracts the cap in place of the row's maximum: where all scores lie far below it,
only 0/0 remains.
"""

import math

import torch


def softcap_attention(q, k, v, cap):
    T, S = q.shape[-2], k.shape[-2]
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = cap * torch.tanh(scores / cap)
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, -math.inf)
    weights = (scores - cap).exp()
    return weights / weights.sum(-1, keepdim=True) @ v
