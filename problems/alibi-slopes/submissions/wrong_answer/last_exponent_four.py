"""Your exponents run up to 4: for any power of two the last slope is 2^-8."""

import torch


def power_of_two_slopes(n):
    return [2 ** (-4 * (i + 1) / n) for i in range(n)]


def alibi_slopes(n_heads):
    m = 2 ** (n_heads.bit_length() - 1)
    slopes = power_of_two_slopes(m)
    slopes += power_of_two_slopes(2 * m)[0::2][: n_heads - m]
    return torch.tensor(slopes, dtype=torch.float32)
