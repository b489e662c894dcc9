"""Your result is computed in float32 and returned so: half precision in, half precision out."""

import torch


def cross_attention(q, k, v, key_padding_mask):
    hidden = key_padding_mask[:, None, None, :]
    if q.dtype != torch.float64:
        q, k, v = q.float(), k.float(), v.float()
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(hidden, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    weights = weights.masked_fill(hidden.all(dim=-1, keepdim=True), 0.0)
    return weights @ v
