# -*- coding: no-such-codec -*-
"""A coding line that names no codec. Seen: common in fuzzers."""


def attention(q, k, v, mask=None):
    return v
