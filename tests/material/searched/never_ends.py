"""Answers a few calls, then none."""

calls = 0


def attention(q, k, v, mask=None):
    global calls
    calls += 1
    while calls > 3:
        pass
    return q
