"""Your counts are right but in the wrong order: the projections come first."""


def attention_flops(T, d):
    return 4 * T * T * d, 8 * T * d * d


def crossover(d):
    return 2 * d
