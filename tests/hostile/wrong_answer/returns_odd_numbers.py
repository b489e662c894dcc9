"""A whole number of 100,000 digits, which Python refuses to print and JSON readers choke on. Seen: common in JSON protocols."""


def attention(q, k, v, mask=None):
    return 10**100_000
