"""A generator that would be run by whoever iterates over the result. Seen: common learner slip."""


def attention(q, k, v, mask=None):
    while True:
        yield q
