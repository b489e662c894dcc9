"""Your counts are floats: plain Python ints are asked for, and floats are exact up to 2**53 only."""


def attention_flops(T, d):
    return 8.0 * T * d**2, 4.0 * T**2 * d


def crossover(d):
    return 2 * d
