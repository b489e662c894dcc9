"""Your counts have the squares in the wrong place: projections grow with the square of the width, score products
with the square of the length.
"""


def attention_flops(T, d):
    return 8 * T * T * d, 4 * T * d * d


def crossover(d):
    return max(1, d // 2)
