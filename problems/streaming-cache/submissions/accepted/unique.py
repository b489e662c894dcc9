"""Both parts, clamped and made unique."""

import torch


def streaming_keep(seq_len, n_sink, window):
    last = torch.arange(seq_len - window, seq_len).clamp(min=0)
    return torch.unique(torch.cat((torch.arange(n_sink).clamp(max=seq_len - 1), last)))
