"""Your result always keeps four sinks: how many is said by n_sink."""

import torch


def streaming_keep(seq_len, n_sink, window):
    n_sink = min(4, seq_len)
    start = max(n_sink, seq_len - window)
    return torch.cat([torch.arange(n_sink), torch.arange(start, seq_len)])
