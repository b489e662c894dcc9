"""Crashes while the file loads. Seen: common crash in native code."""
import ctypes

ctypes.memset(8, 0, 64)


def attention(q, k, v, mask=None):
    return v
