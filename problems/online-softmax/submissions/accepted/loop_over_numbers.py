"""One number at a time: the old sum or the new number is rescaled, whichever belongs to the smaller maximum."""

import torch


def online_softmax(x, block_size):
    m = x.new_full(x.shape[:-1], float("-inf"))
    l = x.new_zeros(x.shape[:-1])
    for start in range(0, x.shape[-1], block_size):
        for n in range(start, min(start + block_size, x.shape[-1])):
            value = x[..., n]
            above = value > m
            new = torch.where(above, value, m)
            gap = torch.where(new == float("-inf"), torch.zeros_like(new), torch.where(above, m, value) - new)
            seen = (new != float("-inf")).to(x.dtype)
            l = torch.where(above, l * torch.exp(gap) + 1, l + torch.exp(gap) * seen)
            m = new
    return m, l
