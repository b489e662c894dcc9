"""Without sinks your window begins before position 0 where the text is shorter than it."""

import torch


def streaming_keep(seq_len, n_sink, window):
    if n_sink == 0:
        return torch.arange(seq_len - window, seq_len)
    n_sink = min(n_sink, seq_len)
    return torch.cat([torch.arange(n_sink), torch.arange(max(n_sink, seq_len - window), seq_len)])
