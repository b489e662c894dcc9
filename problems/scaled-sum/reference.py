"""The answer that tests compare with. It stays with the judge: no submission can see it."""

from torch import Tensor


def scaled_sum(x: Tensor, scale: float) -> Tensor:
    return x.sum(dim=0) * scale  # (D,)
