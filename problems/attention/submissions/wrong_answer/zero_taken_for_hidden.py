"""Your result equals attention that hides every key whose score is exactly 0: zero is an ordinary score, only the
mask says what is hidden.
"""

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores * mask
        scores = scores.masked_fill(scores == 0, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, dim=-1)) @ v
