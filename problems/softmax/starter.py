import torch


def softmax(
    x: torch.Tensor,  # any shape
    dim: int = -1,  # the axis along which the result sums to one
) -> torch.Tensor:  # the shape and dtype of x
    raise NotImplementedError
