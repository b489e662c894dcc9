"""Your code takes the maximum off in place: the caller's tensor has changed after the call."""

import torch


def softmax(x, dim=-1):
    with torch.no_grad():
        x -= x.amax(dim, keepdim=True)
    powers = torch.exp(x)
    return torch.nan_to_num(powers / powers.sum(dim, keepdim=True))
