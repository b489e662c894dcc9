"""Text and names that are no UTF-8. Seen: common in JSON protocols."""


class Odd(Exception):
    pass


Odd.__name__ = Odd.__qualname__ = "\udcff\x00"


def attention(q, k, v, mask=None):
    raise Odd("\ud800 \udfff \x00 \x9b31m")
