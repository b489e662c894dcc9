"""Your result is float64 whatever the input was: it must have the dtype of the input."""

import torch


def softmax(x, dim=-1):
    wide = x.double()
    powers = torch.exp(wide - wide.amax(dim, keepdim=True))
    return torch.nan_to_num(powers / powers.sum(dim, keepdim=True))
