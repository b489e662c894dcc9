"""Returns a list that holds itself many times over, small in memory and endless on paper. Seen: common in viewers."""


def attention(q, k, v, mask=None):
    value = [q]
    for _ in range(12):
        value = [value] * 2
    return value
