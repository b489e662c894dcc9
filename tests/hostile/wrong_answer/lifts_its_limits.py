"""setrlimit, prlimit on the parent, prctl, priorities and CPU masks. Seen: common in judges that set limits and do not take the right to lift them."""
import ctypes
import os
import resource

import torch

INFINITY = resource.RLIM_INFINITY


def _try(name, call, *arguments):
    try:
        call(*arguments)
    except (OSError, ValueError):
        return
    print("LEAK", name, flush=True)


def attention(q, k, v, mask=None):
    for name in ("DATA", "CPU", "FSIZE", "CORE", "NOFILE", "NPROC"):
        number = getattr(resource, "RLIMIT_" + name)
        if resource.getrlimit(number)[1] != INFINITY:
            _try("setrlimit " + name, resource.setrlimit, number, (INFINITY, INFINITY))
        _try("prlimit of parent " + name, resource.prlimit, os.getppid(), number, (INFINITY, INFINITY))
    _try("setpriority", os.setpriority, os.PRIO_PROCESS, os.getppid(), 19)
    _try("nice", os.nice, -1)
    _try("affinity of parent", os.sched_setaffinity, os.getppid(), {0})
    _try("affinity", os.sched_setaffinity, 0, {0})
    _try("scheduler", os.sched_setscheduler, 0, os.SCHED_FIFO, os.sched_param(1))
    _try("setsid", os.setsid)
    _try("setuid", os.setuid, 0) if os.getuid() else None
    libc = ctypes.CDLL(None, use_errno=True)
    subreaper, new_privileges, ptracer, mdwe = 36, 38, 0x59616D61, 65
    for option, value in ((subreaper, 1), (ptracer, -1)):
        if libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0) == 0:
            print("LEAK prctl", option, flush=True)
    return torch.zeros_like(v)
