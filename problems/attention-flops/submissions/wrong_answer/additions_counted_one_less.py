"""Your counts take one addition less than multiplications for each element: here a multiply-add counts as 2 FLOPs."""


def attention_flops(T, d):
    return 4 * T * d * (2 * d - 1), T * T * (2 * d - 1) + T * d * (2 * T - 1)


def crossover(d):
    return 2 * d
