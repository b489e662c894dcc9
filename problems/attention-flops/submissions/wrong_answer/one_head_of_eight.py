"""Your score products are those of one head of eight: all heads together have the full width."""


def attention_flops(T, d, n_heads=8):
    head = max(1, d // n_heads)
    return 8 * T * d * d, 4 * T * T * head


def crossover(d, n_heads=8):
    return 2 * d * n_heads
