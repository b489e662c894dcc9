"""Your crossover is the last length at which the projections cost more: asked for is the one at which both cost
the same.
"""


def attention_flops(T, d):
    return 8 * T * d * d, 4 * T * T * d


def crossover(d):
    return 2 * d - 1
