"""Reads address 0 with faulthandler on. Seen: common crash in native code."""
import ctypes
import faulthandler

faulthandler.enable()


def attention(q, k, v, mask=None):
    return ctypes.string_at(0)
