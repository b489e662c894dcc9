"""Your result equals the scaled scores times v: the softmax that turns scores into weights is missing."""

import torch  # noqa: F401


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, 0.0)
    return scores @ v
