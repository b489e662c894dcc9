"""Your counts have one score product: the weights times the values are the second."""


def attention_flops(T, d):
    return 8 * T * d * d, 2 * T * T * d


def crossover(d):
    return 4 * d
