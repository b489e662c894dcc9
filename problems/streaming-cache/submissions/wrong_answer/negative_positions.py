"""Your window begins before position 0 where the text is shorter than it."""

import torch


def streaming_keep(seq_len, n_sink, window):
    n_sink = min(n_sink, seq_len)
    start = max(n_sink, seq_len - window) if seq_len > window else seq_len - window
    return torch.cat([torch.arange(n_sink), torch.arange(start, seq_len)])
