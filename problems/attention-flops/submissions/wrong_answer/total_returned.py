"""Your function returns the sum of both: the two counts are asked for."""


def attention_flops(T, d):
    return 8 * T * d * d + 4 * T * T * d


def crossover(d):
    return 2 * d
