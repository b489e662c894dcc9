"""System calls that no exercise needs, by number; any errno but a refusal shows that the kernel looked at the arguments. Seen: huggingface/smolagents#2094."""
import ctypes
import errno
import os
import platform

import torch

NAMES = (
    "ptrace process_vm_readv process_vm_writev bpf io_uring_setup io_uring_enter keyctl add_key request_key memfd_create "
    "unshare setns mount umount2 pivot_root chroot perf_event_open userfaultfd init_module finit_module open_by_handle_at "
    "name_to_handle_at fanotify_init inotify_init1 quotactl acct swapon syslog kcmp pidfd_getfd process_madvise memfd_secret "
    "msgget semget shmget mq_open sethostname open_tree move_mount fsopen personality"
).split()
X86_64 = (
    101, 310, 311, 321, 425, 426, 250, 248, 249, 319, 272, 308, 165, 166, 155, 161, 298, 323, 175, 313, 304, 303, 300, 294, 179, 163,
    167, 103, 312, 438, 440, 447, 68, 64, 29, 240, 170, 428, 429, 430, 135,
)
AARCH64 = (
    117, 270, 271, 280, 425, 426, 219, 217, 218, 279, 97, 268, 40, 39, 41, 51, 241, 282, 105, 273, 265, 264, 262, 26, 60, 89,
    224, 116, 272, 438, 440, 447, 186, 190, 194, 180, 161, 428, 429, 430, 92,
)
NUMBERS = {"x86_64": X86_64, "aarch64": AARCH64}
REFUSED = (errno.EPERM, errno.EACCES, errno.ENOSYS)


def attention(q, k, v, mask=None):
    libc = ctypes.CDLL(None, use_errno=True)
    parent = os.getppid()
    arguments = {"ptrace": (16, parent), "keyctl": (0, -3), "msgget": (0, 0o1600), "semget": (0, 1, 0o1600), "shmget": (0, 4096, 0o1600)}
    arguments |= {"memfd_create": (b"h0stile", 0), "personality": (0x0040000,), "unshare": (0x10000000,)}
    for name, number in zip(NAMES, NUMBERS[platform.machine()], strict=True):
        ctypes.set_errno(0)
        result = libc.syscall(number, *arguments.get(name, (-1, 0, 0, 0, 0, 0)))
        if result != -1 or ctypes.get_errno() not in REFUSED:
            print("LEAK syscall", name, result, errno.errorcode.get(ctypes.get_errno()), flush=True)
    return torch.zeros_like(v)
