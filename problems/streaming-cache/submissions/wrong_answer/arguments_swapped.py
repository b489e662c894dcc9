"""Your result takes n_sink for the window and window for the sinks."""

import torch


def streaming_keep(seq_len, n_sink, window):
    n_sink, window = window, n_sink
    n_sink = min(n_sink, seq_len)
    start = max(n_sink, seq_len - window)
    return torch.cat([torch.arange(n_sink), torch.arange(start, seq_len)])
