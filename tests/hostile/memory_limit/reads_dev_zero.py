"""Reads a file that never ends into memory. Seen: common in code that reads all of stdin."""


def attention(q, k, v, mask=None):
    return open("/dev/zero", "rb").read()
