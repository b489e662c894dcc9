"""Your result is right, but cut off from autograd: no gradient reaches x."""

import torch


@torch.no_grad()
def softmax(x, dim=-1):
    powers = torch.exp(x - x.amax(dim, keepdim=True))
    return torch.nan_to_num(powers / powers.sum(dim, keepdim=True))
