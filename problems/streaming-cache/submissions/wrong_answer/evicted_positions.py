"""Your result lists the positions that leave: those that stay are asked for."""

import torch


def streaming_keep(seq_len, n_sink, window):
    n_sink = min(n_sink, seq_len)
    start = max(n_sink, seq_len - window)
    return torch.arange(n_sink, start)
