"""Your result leaves out the keys after the last full tile of 32: the last tile may be shorter."""

import torch


def attention(q, k, v, mask=None, tile=32):
    if k.shape[-2] > tile:
        whole = k.shape[-2] // tile * tile
        k, v = k[..., :whole, :], v[..., :whole, :]
        mask = mask[..., :whole] if mask is not None else None
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, dim=-1)) @ v
