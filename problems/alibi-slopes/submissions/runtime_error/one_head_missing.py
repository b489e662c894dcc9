"""Your code divides by n - 1: with one head that is 0."""

import torch


def power_of_two_slopes(n):
    return [2 ** (-8 / n - (8 - 8 / n) * i / (n - 1)) for i in range(n)]


def alibi_slopes(n_heads):
    m = 2 ** (n_heads.bit_length() - 1)
    slopes = power_of_two_slopes(m)
    slopes += power_of_two_slopes(2 * m)[0::2][: n_heads - m]
    return torch.tensor(slopes, dtype=torch.float32)
