"""Your crossover is a float: `/` always gives one, also where the division leaves no rest."""


def attention_flops(T, d):
    return 8 * T * d * d, 4 * T * T * d


def crossover(d):
    return 8 * d * d / (4 * d)
