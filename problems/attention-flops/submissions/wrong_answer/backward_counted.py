"""Your counts include the backward pass: only the forward pass counts."""


def attention_flops(T, d):
    return 24 * T * d * d, 12 * T * T * d


def crossover(d):
    return 2 * d
