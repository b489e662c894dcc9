"""Your counts have three projections: the output projection is the fourth."""


def attention_flops(T, d):
    return 6 * T * d * d, 4 * T * T * d


def crossover(d):
    return 3 * d // 2
