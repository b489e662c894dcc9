# expect: WA|RTE
"""Sends the same reply twice, so that each answer would be read for the next question. Seen: common in protocols without numbers."""
import os

import torch

write = os.write


def _twice(fd, data):
    write(fd, data)
    return write(fd, data)


os.write = _twice


def attention(q, k, v, mask=None):
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, -1)) @ v
