"""Your result equals one cut of the last window keys for all queries; each query has a window of its own."""

import math


def sliding_window_attention(q, k, v, window):
    k, v = k[:, :, -window:], v[:, :, -window:]
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.softmax(-1) @ v
