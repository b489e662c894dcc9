"""Your crossover is T = d / 2: the quotient of the two counts is upside down."""


def attention_flops(T, d):
    return 8 * T * d * d, 4 * T * T * d


def crossover(d):
    return 4 * d * d // (8 * d)
