import torch


def kv_offset_mask(
    T: int,  # new tokens: the last T positions
    S: int,  # all keys: S - T in the cache, then the T new ones
) -> torch.Tensor:  # bool, (T, S); True = may attend
    raise NotImplementedError
