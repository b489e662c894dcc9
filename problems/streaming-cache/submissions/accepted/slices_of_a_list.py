"""Plain Python: slices of a list of positions."""

import torch


def streaming_keep(seq_len, n_sink, window):
    positions = list(range(seq_len))
    return torch.tensor(positions[:n_sink] + positions[max(n_sink, seq_len - window) :])
