# expect: WA|MLE|RTE|TLE
"""A list of millions of tensors: small each, too many for one reply. Seen: common in serialisers that count bytes only."""


def attention(q, k, v, mask=None):
    return [q] * 3_000_000
