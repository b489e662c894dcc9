# expect: RTE|TLE
"""Threads by pthread_create, where Python counts none, with small stacks. Seen: common where only Python's threads are counted."""
import ctypes

import torch

libc = ctypes.CDLL(None)


def attention(q, k, v, mask=None):
    space = ctypes.create_string_buffer(64)
    libc.pthread_attr_init(space)
    libc.pthread_attr_setstacksize(space, ctypes.c_size_t(16384))
    pause = ctypes.cast(libc.pause, ctypes.c_void_p)
    handle = ctypes.c_ulong()
    started = 0
    for _ in range(2000):
        started += libc.pthread_create(ctypes.byref(handle), space, pause, None) == 0
    libc.sleep(60)
    return torch.zeros_like(v)
