# expect: WA|RTE
"""Your counts are computed in 32-bit integers, which wrap around beyond 2**31."""

import torch


def attention_flops(T, d):
    T, d = torch.tensor(T, dtype=torch.int32), torch.tensor(d, dtype=torch.int32)
    return (8 * T * d * d).item(), (4 * T * T * d).item()


def crossover(d):
    return 2 * d
