"""Your result keeps the window alone: the first n_sink tokens must stay too."""

import torch


def streaming_keep(seq_len, n_sink, window):
    return torch.arange(max(0, seq_len - window), seq_len)
