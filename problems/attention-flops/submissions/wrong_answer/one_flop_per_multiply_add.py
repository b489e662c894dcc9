"""Your counts are half of what is asked for: a multiply-add is 2 FLOPs."""


def attention_flops(T, d):
    return 4 * T * d * d, 2 * T * T * d


def crossover(d):
    return 2 * d
