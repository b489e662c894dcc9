"""Latin-1 bytes and no coding line: café. Seen: python/cpython#139446."""


def attention(q, k, v, mask=None):
    return v
