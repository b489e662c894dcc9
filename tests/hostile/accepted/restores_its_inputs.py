"""Works in place on its inputs and puts every bit back before it returns. Seen: common where memory is short."""
import torch


def attention(q, k, v, mask=None):
    if torch.is_grad_enabled() or not k.is_contiguous():
        scores = q @ k.mT * q.shape[-1] ** -0.5
    else:
        kept = k.clone()
        k.mul_(0.5)
        k.copy_(kept)
        scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, -1)) @ v
