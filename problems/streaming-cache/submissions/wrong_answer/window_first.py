"""Your result lists the window before the sinks: positions must ascend."""

import torch


def streaming_keep(seq_len, n_sink, window):
    n_sink = min(n_sink, seq_len)
    start = max(n_sink, seq_len - window)
    return torch.cat([torch.arange(start, seq_len), torch.arange(n_sink)])
