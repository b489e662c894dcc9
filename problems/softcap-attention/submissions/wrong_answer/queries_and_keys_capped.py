"""Your result equals attention whose queries and keys are capped before their product: the cap
belongs to the scores.
"""

import math

import torch


def softcap_attention(q, k, v, cap):
    T, S = q.shape[-2], k.shape[-2]
    q, k = cap * torch.tanh(q / cap), cap * torch.tanh(k / cap)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, -math.inf)
    return scores.softmax(-1) @ v
