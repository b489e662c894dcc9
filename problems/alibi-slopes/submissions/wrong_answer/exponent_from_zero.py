"""Your exponents begin at 0, so the first slope is 1: for 8 heads they run from 1/2 to 1/256."""

import torch


def power_of_two_slopes(n):
    return [2 ** (-8 * i / n) for i in range(n)]


def alibi_slopes(n_heads):
    m = 2 ** (n_heads.bit_length() - 1)
    slopes = power_of_two_slopes(m)
    slopes += power_of_two_slopes(2 * m)[0::2][: n_heads - m]
    return torch.tensor(slopes, dtype=torch.float32)
