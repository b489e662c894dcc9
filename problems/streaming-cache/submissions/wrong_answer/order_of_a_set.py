"""Your positions come in the order of a Python set: it is ascending only for small numbers."""

import torch


def streaming_keep(seq_len, n_sink, window):
    sinks = set(range(min(n_sink, seq_len)))
    recent = set(range(max(0, seq_len - window), seq_len))
    return torch.tensor(list(sinks | recent))
