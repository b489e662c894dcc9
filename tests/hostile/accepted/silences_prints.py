"""Sends prints to os.devnull and to a StringIO. Seen: common in notebooks."""
import contextlib
import io
import os

import torch


def attention(q, k, v, mask=None):
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        print("not shown")
    with contextlib.redirect_stderr(io.StringIO()):
        scores = q @ k.mT * q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(scores, -1)) @ v
