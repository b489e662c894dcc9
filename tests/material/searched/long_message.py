"""An exception with a message without end, and characters that no database takes."""


def attention(q, k, v, mask=None):
    raise ValueError("\ud800\0" * 1_000_000)
