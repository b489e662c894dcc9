"""Leaves gradients switched off at import, as inference code does; calls decide for themselves. Seen: common in inference code."""
import torch

torch.set_grad_enabled(False)


def attention(q, k, v, mask=None):
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, -1)) @ v
