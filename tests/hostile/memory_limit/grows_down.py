# expect: MLE|RTE|WA
"""Maps memory that RLIMIT_DATA does not count: MAP_GROWSDOWN. Seen: common in notes on rlimits."""
import ctypes

import torch


def attention(q, k, v, mask=None):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    size, taken = 1 << 28, 0
    for _ in range(12):
        place = libc.mmap(None, ctypes.c_size_t(size), 3, 0x02 | 0x20 | 0x0100, -1, 0)
        if place in (None, ctypes.c_void_p(-1).value):
            break
        ctypes.memset(place, 1, size)
        taken += size
    if taken > 1 << 30:
        print("LEAK took", taken, flush=True)
    return torch.zeros_like(v)
