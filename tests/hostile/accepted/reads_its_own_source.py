"""Reads its own source by inspect, and classes and closures with it. Seen: common in teaching code."""
import inspect

import torch


def attention(q, k, v, mask=None):
    assert "inspect.getsource(attention)" in inspect.getsource(attention)
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, -1)) @ v
