"""Your crossover tries one length after the other: for large widths that never ends."""


def attention_flops(T, d):
    return 8 * T * d * d, 4 * T * T * d


def crossover(d):
    T = 1
    while 8 * T * d * d > 4 * T * T * d:
        T += 1
    return T
