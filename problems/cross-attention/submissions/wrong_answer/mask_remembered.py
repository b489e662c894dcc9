"""Your mask is remembered by its shape alone: the next call with other padding gets the old one."""

import torch

masks = {}


def cross_attention(q, k, v, key_padding_mask):
    hidden = masks.setdefault(key_padding_mask.shape, key_padding_mask.clone())[:, None, None, :]
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(hidden, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    weights = weights.masked_fill(hidden.all(dim=-1, keepdim=True), 0.0)
    return weights @ v
