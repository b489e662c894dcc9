"""The causal mask of T new tokens over S keys, of which S - T came before them."""

import torch
from torch import Tensor


def kv_offset_mask(T: int, S: int) -> Tensor:
    queries = torch.arange(S - T, S)  # absolute positions of the new tokens, (T,)
    keys = torch.arange(S)  # (S,)
    return keys[None, :] <= queries[:, None]  # (1, S) against (T, 1) -> (T, S)
