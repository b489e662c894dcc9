"""Right, with stdout and stderr closed or gone. Seen: common in code that silences libraries."""
import os
import sys

import torch


def attention(q, k, v, mask=None):
    sys.stdout = sys.stderr = None
    for fd in (1, 2):
        try:
            os.close(fd)
        except OSError:
            pass
    scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, -1)) @ v
