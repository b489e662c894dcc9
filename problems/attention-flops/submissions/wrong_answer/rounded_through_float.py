"""Your counts pass through a float: beyond 2**53 the last digits are lost."""


def attention_flops(T, d):
    return int(8 * T * float(d) ** 2), int(4 * float(T) ** 2 * d)


def crossover(d):
    return 2 * d
