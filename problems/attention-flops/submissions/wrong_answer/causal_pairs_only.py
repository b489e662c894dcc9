"""Your counts take the pairs of a causal mask only: here all T x T pairs count."""


def attention_flops(T, d):
    return 8 * T * d * d, 2 * T * (T + 1) * d


def crossover(d):
    return 4 * d - 1
