"""Your crossover is T = d: there, the projections still cost twice as much."""


def attention_flops(T, d):
    return 8 * T * d * d, 4 * T * T * d


def crossover(d):
    return d
