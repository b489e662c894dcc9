# expect: RTE|TLE
"""Closes every descriptor. Seen: common in judges that wait for an answer on a pipe."""
import os

import torch


def attention(q, k, v, mask=None):
    os.closerange(0, 4096)
    return torch.zeros_like(v)
