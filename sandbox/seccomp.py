"""The seccomp allow-list and its BPF program, for x86_64 and aarch64. No library is needed, only the kernel.

Everything that is not listed answers EPERM: no exec, fork, socket, ptrace, signal, memfd, io_uring, bpf, keyctl,
namespace or mount call, nothing that changes metadata (chmod, utime, xattr, rename, link, unlink, mkdir, truncate).
Some calls are allowed by their arguments only:

    clone       threads only (CLONE_THREAD)           clone3     answers ENOSYS: libc falls back to clone
    mmap        MAP_PRIVATE without MAP_GROWSDOWN: RLIMIT_DATA counts neither shared nor stack mappings
    prctl       names of threads and mappings         fcntl      reading flags, duplicating, close-on-exec
    prlimit64   reading its own limits                ioctl      answers ENOTTY: `isatty` is then False

Numbers: the kernel's syscall tables, checked against libseccomp in the tests.
"""

from __future__ import annotations

import platform
import struct

EPERM, ENOTTY, ENOSYS = 1, 25, 38
ARCHES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}

# name: (x86_64, aarch64); None where the architecture has no such call
SYSCALLS: dict[str, tuple[int, int | None]] = {
    "read": (0, 63),
    "write": (1, 64),
    "readv": (19, 65),
    "writev": (20, 66),
    "pread64": (17, 67),
    "lseek": (8, 62),
    "close": (3, 57),
    "open": (2, None),
    "openat": (257, 56),
    "newfstatat": (262, 79),
    "fstat": (5, 80),
    "stat": (4, None),
    "lstat": (6, None),
    "statx": (332, 291),
    "access": (21, None),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "getcwd": (79, 17),
    "getdents64": (217, 61),
    "mmap": (9, 222),
    "munmap": (11, 215),
    "mprotect": (10, 226),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "brk": (12, 214),
    "futex": (202, 98),
    "set_robust_list": (273, 99),
    "rseq": (334, 293),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sigaltstack": (131, 132),
    "clone": (56, 220),
    "clone3": (435, 435),
    "exit": (60, 93),
    "exit_group": (231, 94),
    "gettid": (186, 178),
    "getpid": (39, 172),
    "getppid": (110, 173),
    "getuid": (102, 174),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getegid": (108, 177),
    "getpgrp": (111, None),
    "getpgid": (121, 155),
    "getsid": (124, 156),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "gettimeofday": (96, 169),
    "time": (201, None),
    "nanosleep": (35, 101),
    "clock_nanosleep": (230, 115),
    "times": (100, 153),
    "getrusage": (98, 165),
    "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123),
    "getcpu": (309, 168),
    "getrandom": (318, 278),
    "uname": (63, 160),
    "sysinfo": (99, 179),
    "prlimit64": (302, 261),
    "getrlimit": (97, 163),
    "poll": (7, None),
    "ppoll": (271, 73),
    "select": (23, None),
    "pselect6": (270, 72),
    "restart_syscall": (219, 128),
    "membarrier": (324, 283),
    "prctl": (157, 167),
    "fcntl": (72, 25),
    "ioctl": (16, 29),
    "dup": (32, 23),
    "set_tid_address": (218, 96),
}

_LOAD, _EQUAL, _BITS, _AND, _RETURN, _AT_LEAST = 0x20, 0x15, 0x45, 0x54, 0x06, 0x35
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCH, _X32_BIT = 0, 4, 0x40000000

CLONE_THREAD = 0x00010000
MAP_SHARED, MAP_PRIVATE, MAP_GROWSDOWN = 0x01, 0x02, 0x0100
PRCTL_OPTIONS = (15, 16, 0x53564D41)  # PR_SET_NAME, PR_GET_NAME, PR_SET_VMA
FCNTL_COMMANDS = (0, 1, 2, 3, 1030)  # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC


def _argument(index: int) -> int:
    """Offset of the low half of argument `index` in struct seccomp_data (both architectures are little-endian)."""
    return 16 + 8 * index


def _op(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("<HBBI", code, yes, no, value)


def _errno(number: int) -> bytes:
    return _op(_RETURN, _ERRNO | number)


def _one_of(argument: int, values: tuple[int, ...]) -> list[bytes]:
    """Allow where the low half of the argument is one of the values."""
    tests = [_op(_EQUAL, value, len(values) - 1 - i, 0) for i, value in enumerate(values[:-1])]
    return [_op(_LOAD, _argument(argument)), *tests, _op(_EQUAL, values[-1], 0, 1), _op(_RETURN, _ALLOW), _errno(EPERM)]


def _rule(name: str) -> list[bytes]:
    """The instructions that follow a match of the call's number; they always return."""
    if name == "clone":
        return [_op(_LOAD, _argument(0)), _op(_BITS, CLONE_THREAD, 0, 1), _op(_RETURN, _ALLOW), _errno(EPERM)]
    if name == "clone3":
        return [_errno(ENOSYS)]
    if name == "ioctl":
        return [_errno(ENOTTY)]
    if name == "mmap":
        kind = MAP_SHARED | MAP_PRIVATE | MAP_GROWSDOWN
        return [
            _op(_LOAD, _argument(3)),
            _op(_AND, kind),
            _op(_EQUAL, MAP_PRIVATE, 0, 1),
            _op(_RETURN, _ALLOW),
            _errno(EPERM),
        ]
    if name == "prctl":
        return _one_of(0, PRCTL_OPTIONS)
    if name == "fcntl":
        return _one_of(1, FCNTL_COMMANDS)
    if name == "prlimit64":  # pid 0 and a new limit of NULL, all 64 bits of it
        low, high = _argument(2), _argument(2) + 4
        checks = [(_argument(0), 5), (low, 3), (high, 1)]
        steps = [part for place, jump in checks for part in (_op(_LOAD, place), _op(_EQUAL, 0, 0, jump))]
        return [*steps, _op(_RETURN, _ALLOW), _errno(EPERM)]
    return [_op(_RETURN, _ALLOW)]


def program(machine: str | None = None) -> bytes:
    """The BPF program (8 bytes an instruction) for `machine`, by default this one. KeyError where it is unknown."""
    arch, column = ARCHES[machine or platform.machine()]
    code = [
        _op(_LOAD, _ARCH),
        _op(_EQUAL, arch, 1, 0),
        _op(_RETURN, _KILL),
        _op(_LOAD, _NUMBER),
        _op(_AT_LEAST, _X32_BIT, 0, 1),
        _errno(ENOSYS),
    ]
    for name, numbers in SYSCALLS.items():
        number = numbers[column]
        if number is not None:
            rule = _rule(name)
            code += [_op(_EQUAL, number, 0, len(rule)), *rule]
    return b"".join((*code, _errno(EPERM)))
