"""Your result equals attention with the bool mask added to the scores: that raises visible scores by 1 and hides
nothing.
"""

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores + mask
    return torch.softmax(scores, dim=-1) @ v
