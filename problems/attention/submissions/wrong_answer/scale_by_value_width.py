"""Your result equals attention scaled by sqrt(Dv), the width of the values: the scale belongs to the width of queries
and keys.
"""

import math

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / math.sqrt(v.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1).nan_to_num() @ v
