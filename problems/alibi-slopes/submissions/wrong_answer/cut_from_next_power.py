"""Your result is the sequence of the next power of two, cut to n: the paper takes the power below and adds to it."""

import torch


def power_of_two_slopes(n):
    return [2 ** (-8 * (i + 1) / n) for i in range(n)]


def alibi_slopes(n_heads):
    m = 2 ** (n_heads - 1).bit_length()
    slopes = power_of_two_slopes(m)
    slopes = slopes[:n_heads]
    return torch.tensor(slopes, dtype=torch.float32)
