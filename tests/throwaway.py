"""A copy of this machine to break: what a process does after `enter` is gone when it ends. Linux, root only.

mount      / with everything written kept in memory, a /tmp and /dev/shm of its own
processes  a process can see and signal only those that came after
network    a loopback device and nothing else
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import signal
import socket
import struct
import tempfile
from pathlib import Path

NEWNS, NEWIPC, NEWPID, NEWNET = 0x00020000, 0x08000000, 0x20000000, 0x40000000
BIND, REC, PRIVATE = 1 << 12, 1 << 14, 1 << 18
DIE_WITH_PARENT = 1
GET_FLAGS, SET_FLAGS, UP = 0x8913, 0x8914, 1

_libc = ctypes.CDLL(None, use_errno=True)


def enter() -> None:
    """Returns in a new process; this one waits for it and ends with its status. OSError where it may not."""
    _check(_libc.unshare(NEWNS | NEWIPC | NEWPID | NEWNET))
    first = os.fork()
    if first:
        os._exit(os.waitstatus_to_exitcode(os.waitpid(first, 0)[1]) & 0xFF)
    _check(_libc.prctl(DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0))  # and all that is in the namespace with it
    second = os.fork()
    if second:  # the first process of a namespace inherits all orphans
        while (ended := os.waitpid(-1, 0))[0] != second:
            pass
        os._exit(os.waitstatus_to_exitcode(ended[1]) & 0xFF)
    _copy_root()
    _loopback()


def _copy_root() -> None:
    _mount("none", "/", "", REC | PRIVATE)
    place, here = Path(tempfile.mkdtemp(prefix="throwaway-")), os.getcwd()
    _mount("tmpfs", place, "tmpfs")
    upper, work, root = (place / name for name in ("upper", "work", "root"))
    for folder in (upper, work, root):
        folder.mkdir()
    _mount("overlay", root, "overlay", 0, f"lowerdir=/,upperdir={upper},workdir={work}")
    _mount("proc", root / "proc", "proc")
    for name in ("dev", "sys"):
        _mount(f"/{name}", root / name, "", BIND)
    for name in ("tmp", "dev/shm"):
        if not Path(__file__).is_relative_to(f"/{name}"):
            _mount("tmpfs", root / name, "tmpfs", 0, "mode=1777")
    os.chroot(root)
    os.chdir(here)


def _loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = fcntl.ioctl(any_socket, GET_FLAGS, struct.pack("16sh14x", b"lo", 0))
        (flags,) = struct.unpack("16xh14x", request)
        fcntl.ioctl(any_socket, SET_FLAGS, struct.pack("16sh14x", b"lo", flags | UP))


def _mount(source: str | Path, target: str | Path, kind: str, flags: int = 0, data: str = "") -> None:
    parts = [os.fsencode(part) or None for part in (source, target, kind)]
    _check(_libc.mount(*parts, ctypes.c_ulong(flags), data.encode() or None))


def _check(result: int) -> None:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
