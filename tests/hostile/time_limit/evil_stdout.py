"""Right values, but stdout is an object whose flush never returns. Seen: common in harnesses that flush after the call."""
import sys

import torch


class Stuck:
    def write(self, text):
        return len(text)

    def flush(self):
        while True:
            pass


def attention(q, k, v, mask=None):
    sys.stdout = sys.__stdout__ = Stuck()
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, -1)) @ v
