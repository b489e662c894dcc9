"""A correct answer in another style: it shows that the tests ask for the result and not for one way to write it."""

import torch
from torch import Tensor


def scaled_sum(x: Tensor, scale: float) -> Tensor:
    return torch.einsum("td->d", x) * scale  # (D,)
