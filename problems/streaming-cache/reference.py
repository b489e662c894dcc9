"""Positions that a cache of attention sinks and a window keeps."""

import torch
from torch import Tensor


def streaming_keep(seq_len: int, n_sink: int, window: int) -> Tensor:
    sinks_end = min(n_sink, seq_len)
    recent = max(sinks_end, seq_len - window)  # where both parts overlap, the sinks have the position
    return torch.cat([torch.arange(sinks_end), torch.arange(recent, seq_len)])  # (n,), ascending
