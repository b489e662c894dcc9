import torch


def streaming_keep(
    seq_len: int,  # tokens so far, at least 1
    n_sink: int,  # first tokens that always stay, may be 0
    window: int,  # last tokens that stay, at least 1
) -> torch.Tensor:  # int64, (n,), ascending
    raise NotImplementedError
