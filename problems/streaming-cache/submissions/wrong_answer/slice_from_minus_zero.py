"""Without sinks your slice [-0:] is the whole text."""

import torch


def streaming_keep(seq_len, n_sink, window):
    backwards = list(range(seq_len))[::-1]
    sinks = backwards[-n_sink:][::-1]
    recent = [p for p in backwards[:window][::-1] if p not in sinks]
    return torch.tensor(sinks + recent)
