"""Your window runs from the newest token backwards: positions must ascend."""

import torch


def streaming_keep(seq_len, n_sink, window):
    n_sink = min(n_sink, seq_len)
    start = max(n_sink, seq_len - window)
    return torch.cat([torch.arange(n_sink), torch.arange(start, seq_len).flip(0)])
