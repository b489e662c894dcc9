"""Your code calls the library's softmax as an operator of torch.ops."""

import torch


def softmax(x, dim=-1):
    return torch.nan_to_num(torch.ops.aten._softmax(x, dim, False), nan=0.0)
