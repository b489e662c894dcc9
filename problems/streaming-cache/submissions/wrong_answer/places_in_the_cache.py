"""Your result is 0 to n - 1, as if the window followed the sinks: the last tokens stay, at their positions in
the text.
"""

import torch


def streaming_keep(seq_len, n_sink, window):
    n_sink = min(n_sink, seq_len)
    start = max(n_sink, seq_len - window)
    return torch.arange(len(torch.cat([torch.arange(n_sink), torch.arange(start, seq_len)])))
