# expect: WA|RTE
"""Your counts are computed in 64-bit integers, which wrap around beyond 2**63."""

import torch


def attention_flops(T, d):
    T, d = torch.tensor(T), torch.tensor(d)
    return (8 * T * d * d).item(), (4 * T * T * d).item()


def crossover(d):
    return 2 * d
