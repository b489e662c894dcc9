"""Your code reads a mask [H, T, S] as one for each sequence: axes line up from the last, so its first is the head."""

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    if mask is not None:
        if mask.dim() == 3:
            mask = mask[:, None]
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1).nan_to_num() @ v
