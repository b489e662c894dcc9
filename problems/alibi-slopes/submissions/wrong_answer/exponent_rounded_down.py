"""Your exponents are whole numbers, from a division with //: for more than 8 heads the step 8/n is less than 1."""

import torch


def power_of_two_slopes(n):
    return [2.0 ** -(8 * (i + 1) // n) for i in range(n)]


def alibi_slopes(n_heads):
    m = 2 ** (n_heads.bit_length() - 1)
    slopes = power_of_two_slopes(m)
    slopes += power_of_two_slopes(2 * m)[0::2][: n_heads - m]
    return torch.tensor(slopes, dtype=torch.float32)
