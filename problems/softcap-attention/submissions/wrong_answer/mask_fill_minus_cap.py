"""Your result equals hidden scores filled with -cap: that is the score of a poor match, not of a hidden key. Fill with
-inf.
"""

import math

import torch


def softcap_attention(q, k, v, cap):
    T, S = q.shape[-2], k.shape[-2]
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = cap * torch.tanh(scores / cap)
    future = torch.ones(T, S, dtype=torch.bool).triu(S - T + 1)
    scores = scores.masked_fill(future, -cap)
    return scores.softmax(-1) @ v
