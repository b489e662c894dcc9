"""Your result keeps one sink too many: the first n_sink positions are 0 to n_sink - 1."""

import torch


def streaming_keep(seq_len, n_sink, window):
    n_sink = min(n_sink + 1, seq_len)
    start = max(n_sink, seq_len - window)
    return torch.cat([torch.arange(n_sink), torch.arange(start, seq_len)])
