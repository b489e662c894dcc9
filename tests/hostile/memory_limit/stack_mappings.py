"""Memory that counts as stack: mappings that grow down are not in RLIMIT_DATA. Seen: sio2project/sio2jail#42."""
import ctypes

PRIVATE_ANONYMOUS_GROWSDOWN = 0x02 | 0x20 | 0x0100


def attention(q, k, v, mask=None):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    size = 1 << 28
    for _ in range(8):
        place = libc.mmap(None, ctypes.c_size_t(size), 3, PRIVATE_ANONYMOUS_GROWSDOWN, -1, 0)
        if place in (None, ctypes.c_void_p(-1).value):
            raise MemoryError
        ctypes.memset(place, 1, size)
    print("LEAK took 2 GiB of stack", flush=True)
    return v
