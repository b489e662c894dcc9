"""Counted by multiply-adds of a token and of a pair; the crossover by bisection."""


def attention_flops(T, d):
    per_token = sum(d * d for _ in ("query", "key", "value", "output"))
    per_pair = sum(d for _ in ("score", "mix"))
    return 2 * T * per_token, 2 * T * T * per_pair


def crossover(d):
    low, high = 1, 1
    while attention_flops(high, d)[0] > attention_flops(high, d)[1]:
        high *= 2
    while low < high:
        middle = (low + high) // 2
        projections, scores = attention_flops(middle, d)
        if scores < projections:
            low = middle + 1
        else:
            high = middle
    return low
