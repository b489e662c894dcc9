"""The sum as a product with a row of equal numbers."""

import torch
from torch import Tensor


def scaled_sum(x: Tensor, scale: float) -> Tensor:
    return torch.full((x.size(0),), scale, dtype=x.dtype) @ x  # (D,)
