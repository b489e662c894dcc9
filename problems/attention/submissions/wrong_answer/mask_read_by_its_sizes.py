"""Your result guesses from the sizes what the axes of a mask stand for: they always line up from the last one."""

import torch


def attention(q, k, v, mask=None):
    B, _, T, D = q.shape
    scores = q @ k.transpose(-2, -1) / D**0.5
    if mask is not None:
        if mask.dim() == 1 and len(mask) == T:
            mask = mask[:, None]
        elif mask.dim() == 2 and len(mask) == B:
            mask = mask[:, None, None, :]
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.softmax(scores, dim=-1).nan_to_num() @ v
