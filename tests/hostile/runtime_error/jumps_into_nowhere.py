"""Calls address 1 and aborts. Seen: common crash in native code."""
import ctypes
import os


def attention(q, k, v, mask=None):
    try:
        ctypes.CFUNCTYPE(None)(1)()
    finally:
        os.abort()
