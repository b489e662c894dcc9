"""Your slopes are evenly spaced: each is a fixed factor below the one before."""

import torch


def alibi_slopes(n_heads):
    return torch.linspace(2 ** (-8 / n_heads), 2**-8, n_heads, dtype=torch.float32)
