"""Exponents from one arange: whole steps first, then the odd ones of half the step. float32 throughout."""

import torch


def alibi_slopes(n_heads):
    m = 1
    while 2 * m <= n_heads:
        m *= 2
    head = torch.arange(n_heads)
    exponent = torch.where(head < m, (head + 1) * 2, 2 * (head - m) + 1).float() / (2 * m)
    return torch.exp2(-8.0 * exponent)
