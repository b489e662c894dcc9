"""Your result is a mask over all positions: the positions themselves are asked for."""

import torch


def streaming_keep(seq_len, n_sink, window):
    position = torch.arange(seq_len)
    return (position < n_sink) | (position >= seq_len - window)
