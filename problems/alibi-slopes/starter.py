import torch


def alibi_slopes(
    n_heads: int,  # any number from 1
) -> torch.Tensor:  # float32, (n_heads,)
    raise NotImplementedError
