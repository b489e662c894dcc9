"""A mask over all positions."""

import torch


def streaming_keep(seq_len, n_sink, window):
    position = torch.arange(seq_len)
    return position[(position < n_sink) | (position >= seq_len - window)]
