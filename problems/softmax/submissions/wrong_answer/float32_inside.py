"""Your result is right to float32 accuracy only: a step inside runs in float32 although the input is float64."""

import torch


def softmax(x, dim=-1):
    wide = x.float()
    powers = torch.exp(wide - wide.amax(dim, keepdim=True))
    return torch.nan_to_num(powers / powers.sum(dim, keepdim=True)).to(x.dtype)
