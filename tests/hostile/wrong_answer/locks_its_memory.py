"""Memory that the kernel may never move out, which starves everybody else. Seen: common where only the amount is limited."""
import ctypes

import torch

PRIVATE, ANONYMOUS, LOCKED = 0x02, 0x20, 0x2000
READ_WRITE = 3


def attention(q, k, v, mask=None):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    place = libc.mmap(None, ctypes.c_size_t(1 << 20), READ_WRITE, PRIVATE | ANONYMOUS | LOCKED, -1, 0)
    if place not in (None, ctypes.c_void_p(-1).value):
        print("LEAK locked memory", flush=True)
    if libc.mlock(ctypes.create_string_buffer(4096), 4096) == 0 or libc.mlockall(1) == 0:
        print("LEAK mlock", flush=True)
    return torch.zeros_like(v)
