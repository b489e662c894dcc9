"""Your code multiplies float32 weights by half precision values: both factors of a matrix product must have one
dtype.
"""

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    wide = torch.promote_types(q.dtype, torch.float32)
    return torch.nan_to_num(torch.softmax(scores, dim=-1, dtype=wide)) @ v
