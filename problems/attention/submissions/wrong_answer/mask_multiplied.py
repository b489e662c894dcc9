"""Your result equals attention with the scores multiplied by the mask: a score of 0 still gets the weight exp(0) =
1, so hidden keys leak in.
"""

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores * mask
    return torch.softmax(scores, dim=-1) @ v
