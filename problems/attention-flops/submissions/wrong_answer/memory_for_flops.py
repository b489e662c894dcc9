"""Your result counts the numbers that are stored (weights and scores): the operations are asked for."""


def attention_flops(T, d):
    return 4 * d * d, T * T


def crossover(d):
    return 2 * d
