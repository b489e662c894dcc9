"""Your code keeps the list of slopes for a power of two, and += makes it longer: later calls get too many."""

from functools import cache

import torch


@cache
def power_of_two_slopes(n):
    return [2 ** (-8 * (i + 1) / n) for i in range(n)]


def alibi_slopes(n_heads):
    m = 2 ** (n_heads.bit_length() - 1)
    slopes = power_of_two_slopes(m)
    slopes += power_of_two_slopes(2 * m)[0::2][: n_heads - m]
    return torch.tensor(slopes, dtype=torch.float32)
