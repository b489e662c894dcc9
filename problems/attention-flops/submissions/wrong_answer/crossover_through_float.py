"""Your counts are right, but the crossover passes through a float: beyond 2**53 the last digits are lost."""


def attention_flops(T, d):
    return 8 * T * d * d, 4 * T * T * d


def crossover(d):
    return int(8 * d * d / (4 * d))
