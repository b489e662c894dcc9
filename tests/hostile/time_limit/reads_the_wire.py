# expect: TLE|RTE
"""Waits on the descriptor that questions come from, and eats them. Seen: common in protocols over a shared pipe."""
import os


def attention(q, k, v, mask=None):
    while os.read(3, 1 << 16):
        pass
    while True:
        pass
