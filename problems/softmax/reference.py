"""Softmax along any axis, without the library's."""

import math

import torch
from torch import Tensor


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    top = x.amax(dim, keepdim=True)  # size 1 along dim, as in the next lines: lines up with x again
    # a slice of nothing but -inf: -inf - (-inf) would be NaN, -inf - 0 is -inf, whose exponential is 0
    top = top.masked_fill(top == -math.inf, 0.0)
    powers = torch.exp(x - top)  # between 0 and 1, whatever the size of x
    total = powers.sum(dim, keepdim=True)  # at least 1, but 0 in such a slice
    return powers / total.masked_fill(total == 0, 1.0)
