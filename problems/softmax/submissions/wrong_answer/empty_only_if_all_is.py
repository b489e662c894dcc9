"""Your result is zero only if the whole tensor is -inf: each slice has to be looked at by itself."""

import torch


def softmax(x, dim=-1):
    if bool((x == -torch.inf).all()):
        return torch.zeros_like(x)
    powers = torch.exp(x - x.amax(dim, keepdim=True))
    return powers / powers.sum(dim, keepdim=True)
