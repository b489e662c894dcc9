"""Your code calls view() on an input whose memory is not laid out that way."""

import torch


def softmax(x, dim=-1):
    dim = dim % x.dim()
    before, after = x.shape[:dim].numel(), x.shape[dim + 1 :].numel()
    rows = x.view(before, x.shape[dim], after)
    powers = torch.exp(rows - rows.amax(1, keepdim=True))
    return torch.nan_to_num(powers / powers.sum(1, keepdim=True)).view(x.shape)
