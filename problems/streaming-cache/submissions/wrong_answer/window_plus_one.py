"""Your window holds window + 1 tokens."""

import torch


def streaming_keep(seq_len, n_sink, window):
    n_sink = min(n_sink, seq_len)
    start = max(n_sink, seq_len - window - 1)
    return torch.cat([torch.arange(n_sink), torch.arange(start, seq_len)])
