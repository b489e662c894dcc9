"""Your result leaves out the keys after the last full block of 32: the last block may be shorter."""

import torch


def cross_attention(q, k, v, key_padding_mask):
    if k.shape[-2] > 32:
        whole = k.shape[-2] // 32 * 32
        k, v, key_padding_mask = k[..., :whole, :], v[..., :whole, :], key_padding_mask[:, :whole]
    hidden = key_padding_mask[:, None, None, :]
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    scores = scores.masked_fill(hidden, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    weights = weights.masked_fill(hidden.all(dim=-1, keepdim=True), 0.0)
    return weights @ v
