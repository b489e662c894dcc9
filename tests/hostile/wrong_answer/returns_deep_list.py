"""A list nested 100,000 deep. Seen: common in serialisers that recurse."""


def attention(q, k, v, mask=None):
    answer = []
    for _ in range(100_000):
        answer = [answer]
    return answer
