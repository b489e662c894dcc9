"""Your result keeps everything up to seq_len = n_sink + window + 1: eviction begins one token late."""

import torch


def streaming_keep(seq_len, n_sink, window):
    if seq_len <= n_sink + window + 1:
        return torch.arange(seq_len)
    n_sink = min(n_sink, seq_len)
    start = max(n_sink, seq_len - window)
    return torch.cat([torch.arange(n_sink), torch.arange(start, seq_len)])
