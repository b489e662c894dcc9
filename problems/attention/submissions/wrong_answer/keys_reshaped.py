"""Your result equals attention with k reshaped to [B, H, D, S]: a reshape keeps the order of the numbers and mixes
keys; it is a transpose that you need.
"""

import torch


def attention(q, k, v, mask=None):
    B, H, S, D = k.shape
    scores = q @ k.reshape(B, H, D, S) * D**-0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v
