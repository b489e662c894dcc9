"""Takes memory as shared mappings, which a limit on private data does not count. Seen: moby/moby#39004, sio2project/sio2jail#42."""
import ctypes
import mmap
import os

import torch

SIZE = 1 << 30
PAGES = range(0, SIZE, 4096)


def _touch(name, space):
    for at in PAGES[: 1 << 14]:
        space[at] = 1
    print("LEAK shared memory by", name, flush=True)


def attention(q, k, v, mask=None):
    try:
        _touch("mmap", mmap.mmap(-1, SIZE, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS))
    except OSError:
        pass
    try:
        _touch("default mmap", mmap.mmap(-1, SIZE))
    except OSError:
        pass
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    shared_validate = 3
    for flags in (1 | 0x20, shared_validate | 0x20, 1 | 0x20 | 0x100, 1 | 0x20 | 0x40000):
        if libc.mmap(None, ctypes.c_size_t(SIZE), 3, flags, -1, 0) not in (None, ctypes.c_void_p(-1).value):
            print("LEAK libc mmap", flags, flush=True)
    try:
        fd = os.memfd_create("h0stile")
        os.ftruncate(fd, SIZE)
        print("LEAK memfd", flush=True)
    except OSError:
        pass
    try:
        torch.zeros(4).share_memory_()
        print("LEAK torch shared memory", flush=True)
    except (OSError, RuntimeError):
        pass
    return torch.zeros_like(v)
