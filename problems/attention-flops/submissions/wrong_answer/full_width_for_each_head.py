"""Your score products take the full width for each of eight heads: a head has only its share of the width."""


def attention_flops(T, d, n_heads=8):
    return 8 * T * d * d, 4 * T * T * d * n_heads


def crossover(d, n_heads=8):
    return max(1, 2 * d // n_heads)
