"""fork, vfork, clone and clone3 as bare system calls, past any patched os module. Seen: huggingface/smolagents#2094."""
import ctypes
import os
import platform

import torch

NUMBERS = {
    "x86_64": {"clone": 56, "fork": 57, "clone3": 435},
    "aarch64": {"clone": 220, "clone3": 435},
}
SIGCHLD = 17
CLONE_NEWUSER = 0x10000000
CLONE_VM = 0x100


def attention(q, k, v, mask=None):
    libc = ctypes.CDLL(None, use_errno=True)
    numbers = NUMBERS[platform.machine()]
    args3 = (ctypes.c_uint64 * 11)()
    args3[4] = SIGCHLD
    tries = [("clone", (SIGCHLD, 0, 0, 0, 0)), ("clone", (SIGCHLD | CLONE_NEWUSER, 0, 0, 0, 0)), ("clone3", (ctypes.byref(args3), 88))]
    if "fork" in numbers:
        tries.append(("fork", ()))
    for name, arguments in tries:
        pid = libc.syscall(numbers[name], *arguments)
        if pid == 0:
            os.write(1, b"LEAK a cloned child runs\n")
            os._exit(0)
        if pid > 0:
            print("LEAK", name, flush=True)
    return torch.zeros_like(v)
