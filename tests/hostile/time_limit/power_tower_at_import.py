# expect: TLE|MLE
"""Whole numbers of billions of digits, folded or computed while the file loads. Seen: argotorg/solidity#3759."""
TOWER = 7**10**9


def attention(q, k, v, mask=None):
    return v
