"""Becomes a shell, or has one run by libc. Seen: common in judges that only guard Python's own modules."""
import ctypes
import os

import torch


def attention(q, k, v, mask=None):
    code = os.system("echo LEAK system; : h0stile")
    if code == 0:
        print("LEAK os.system gave", code, flush=True)
    libc = ctypes.CDLL(None)
    if libc.system(b"echo LEAK libc; : h0stile") == 0:
        print("LEAK libc.system", flush=True)
    argv = (ctypes.c_char_p * 4)(b"/bin/sh", b"-c", b"echo LEAK exec", None)
    libc.execv(b"/bin/sh", argv)
    libc.execveat(-100, b"/bin/sh", argv, None, 0)
    for call in (os.execv, os.execvp):
        try:
            call("/bin/sh", ["/bin/sh", "-c", "echo LEAK exec; : h0stile"])
        except OSError:
            pass
    return torch.zeros_like(v)
