"""Your result lists positions twice where the sinks and the window overlap."""

import torch


def streaming_keep(seq_len, n_sink, window):
    n_sink = min(n_sink, seq_len)
    start = max(0, seq_len - window)
    return torch.cat([torch.arange(n_sink), torch.arange(start, seq_len)])
