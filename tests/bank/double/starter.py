from torch import Tensor


def double(x: Tensor) -> Tensor:
    raise NotImplementedError
