# expect: MLE|TLE
"""Catches every MemoryError and asks again. Seen: common where the limit is an exception only."""


def attention(q, k, v, mask=None):
    kept = []
    size = 1 << 26
    while True:
        try:
            kept.append(bytearray(size))
        except MemoryError:
            size = max(size // 2, 1)
