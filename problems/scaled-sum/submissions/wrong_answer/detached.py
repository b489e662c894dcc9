"""Your values are right, but the graph is cut: after detach, .data or numpy no gradient reaches x."""

from torch import Tensor


def scaled_sum(x: Tensor, scale: float) -> Tensor:
    return x.detach().sum(dim=0) * scale
