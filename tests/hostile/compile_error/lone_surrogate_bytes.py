"""Bytes that spell a lone surrogate in what looks like UTF-8: í°€. Seen: common in fuzzers."""


def attention(q, k, v, mask=None):
    return v
