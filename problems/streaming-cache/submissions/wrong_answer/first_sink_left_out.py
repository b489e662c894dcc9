"""Your result leaves out position 0: it is the most important of the sinks."""

import torch


def streaming_keep(seq_len, n_sink, window):
    n_sink = min(n_sink, seq_len)
    start = max(n_sink, seq_len - window)
    return torch.cat([torch.arange(min(1, n_sink), n_sink), torch.arange(start, seq_len)])
