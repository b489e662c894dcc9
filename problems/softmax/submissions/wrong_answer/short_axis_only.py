"""Your result looks at the first 64 entries along `dim` only: the others get no weight."""

import torch


def softmax(x, dim=-1):
    head = x.narrow(dim, 0, min(64, x.shape[dim]))
    powers = torch.exp(head - head.amax(dim, keepdim=True))
    weights = torch.nan_to_num(powers / powers.sum(dim, keepdim=True))
    rest = torch.zeros_like(x.narrow(dim, 0, x.shape[dim] - head.shape[dim]))
    return torch.cat([weights, rest], dim)
