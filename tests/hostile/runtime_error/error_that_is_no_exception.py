"""BaseException, KeyboardInterrupt and groups, nested. Seen: common in harnesses that catch Exception only."""


class Bare(BaseException):
    pass


def attention(q, k, v, mask=None):
    error = KeyboardInterrupt()
    for _ in range(3000):
        error = BaseExceptionGroup("<i>", [error])
    raise Bare from error
