"""Your crossover gives the FLOPs at the point where both are equal: the number of tokens is asked for."""


def attention_flops(T, d):
    return 8 * T * d * d, 4 * T * T * d


def crossover(d):
    return attention_flops(2 * d, d)[0]
