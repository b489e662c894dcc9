"""Your extra slopes go on below the others: they come from twice as many heads, and lie between."""

import torch


def power_of_two_slopes(n):
    return [2 ** (-8 * (i + 1) / n) for i in range(n)]


def alibi_slopes(n_heads):
    m = 2 ** (n_heads.bit_length() - 1)
    slopes = power_of_two_slopes(m)
    slopes += [2 ** (-8 * (i + 1) / m) for i in range(m, n_heads)]
    return torch.tensor(slopes, dtype=torch.float32)
