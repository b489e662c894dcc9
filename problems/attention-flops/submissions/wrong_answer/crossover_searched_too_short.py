"""Your crossover is searched for up to 2**63 only: widths go far beyond."""


def attention_flops(T, d):
    return 8 * T * d * d, 4 * T * T * d


def crossover(d):
    low, high = 1, 2**63
    while low < high:
        middle = (low + high) // 2
        projections, scores = attention_flops(middle, d)
        if scores >= projections:
            high = middle
        else:
            low = middle + 1
    return low
