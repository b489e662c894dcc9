"""Your result equals the library's attention with a mask of ones and zeros added to the scores: that raises the
scores of real keys by 1 and hides nothing.
"""

import torch


def cross_attention(q, k, v, key_padding_mask):
    hidden = key_padding_mask[:, None, None, :]
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores + (~hidden).to(scores.dtype)
    weights = torch.softmax(scores, dim=-1)
    weights = weights.masked_fill(hidden.all(dim=-1, keepdim=True), 0.0)
    return weights @ v
