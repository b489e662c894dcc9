"""Your code expects a mask with four axes; any mask that broadcasts, such as [T, S] or [H, T, S], is allowed too."""

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if mask is not None:
        T, S = scores.shape[-2:]
        mask = mask[None, None] if mask.dim() == 2 else mask
        scores = scores.masked_fill(~mask[:, :, -T:, -S:], float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, dim=-1)) @ v
