"""Your result equals hidden scores of -cap, as when the mask comes before the cap: tanh makes -cap of -inf, and the
future is visible again.
"""

import math

import torch


def softcap_attention(q, k, v, cap):
    T, S = q.shape[-2], k.shape[-2]
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, -math.inf)
    scores = cap * torch.tanh(scores / cap)
    return scores.softmax(-1) @ v
