"""Your result lowers the scores of padding by 10000 instead of replacing them: a score of 10000 and more comes
back up.
"""

import torch


def cross_attention(q, k, v, key_padding_mask):
    hidden = key_padding_mask[:, None, None, :]
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores - 10000.0 * hidden.to(scores.dtype)
    weights = torch.softmax(scores, dim=-1)
    weights = weights.masked_fill(hidden.all(dim=-1, keepdim=True), 0.0)
    return weights @ v
