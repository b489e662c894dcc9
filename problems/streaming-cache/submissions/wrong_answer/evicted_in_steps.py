"""Your window is emptied in steps of two tokens: with each new token one leaves."""

import torch


def streaming_keep(seq_len, n_sink, window):
    n_sink = min(n_sink, seq_len)
    start = max(n_sink, (seq_len - window) // 2 * 2)
    return torch.cat([torch.arange(n_sink), torch.arange(start, seq_len)])
