"""Causes and contexts in a circle, with a traceback of thousands of frames. Seen: genchang1234/How-to-cheat-in-computer-science-101#8."""


def _deep(n):
    if n:
        return _deep(n - 1)
    one, other = ValueError("one"), ValueError("other")
    one.__cause__, other.__cause__ = other, one
    one.__context__, other.__context__ = other, one
    raise one


def attention(q, k, v, mask=None):
    return _deep(900)
