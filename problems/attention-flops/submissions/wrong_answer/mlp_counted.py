"""Your counts include the MLP: only the four projections of attention count."""


def attention_flops(T, d):
    return 24 * T * d * d, 4 * T * T * d


def crossover(d):
    return 6 * d
