"""Your code inverts the mask in place: the caller's mask has changed after the call, and a second call reads it the
other way round.
"""

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not_(), float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, dim=-1)) @ v
