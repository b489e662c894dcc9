"""Runs the cache: tokens enter one by one, and leave the queue at its front."""

from collections import deque

import torch


def streaming_keep(seq_len, n_sink, window):
    recent = deque(range(max(0, seq_len - 2 * window), seq_len), maxlen=window)
    kept = set(range(min(n_sink, seq_len))) | set(recent)
    return torch.tensor(sorted(kept), dtype=torch.int64)
