"""Your result equals powers of 2 divided by their sum: softmax takes powers of e."""

import torch


def softmax(x, dim=-1):
    powers = torch.exp2(x - x.amax(dim, keepdim=True))
    return torch.nan_to_num(powers / powers.sum(dim, keepdim=True))
