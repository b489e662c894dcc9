"""Your counts have one projection: queries, keys, values and the output take one each."""


def attention_flops(T, d):
    return 2 * T * d * d, 4 * T * T * d


def crossover(d):
    return max(1, d // 2)
