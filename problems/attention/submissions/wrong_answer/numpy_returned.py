"""Your function returns a numpy array: it has to be a torch.Tensor, through which gradients can flow."""

import torch


def attention(q, k, v, mask=None):
    scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return (torch.nan_to_num(torch.softmax(scores, dim=-1)) @ v).numpy()
