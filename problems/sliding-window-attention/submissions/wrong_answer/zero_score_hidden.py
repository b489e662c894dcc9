"""Your result equals attention that hides every key whose score is 0: a score of 0 is a score, only the mask
decides.
"""

import math

import torch


def sliding_window_attention(q, k, v, window):
    T, S = q.shape[-2], k.shape[-2]
    i = torch.arange(S - T, S)[:, None]
    j = torch.arange(S)
    visible = (j <= i) & (j > i - window)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores * visible
    scores = scores.masked_fill((scores == 0) & (j != i), -math.inf)
    return scores.softmax(-1) @ v
