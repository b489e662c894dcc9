"""From a supervisor to a child that is in its jail and waits for its first frame."""

from __future__ import annotations

import contextlib
import fcntl
import gc
import os
import signal
import socket
import sys
import traceback
from typing import Any

import torch

from sandbox import child, jail, warming
from sandbox.forked import Forked
from sandbox.jail import Jail
from sandbox.limits import GREETING


def fork(number: int, prison: Jail, importable: frozenset[str], *, cold: bool, rehearsed: bool) -> Forked:
    """Forks. `rehearsed`: nobody waits for it yet."""
    ours, theirs = socket.socketpair()
    out_read, out_write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    err_read, err_write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    pid = os.fork()
    if pid == 0:
        try:
            _move_descriptors(theirs.fileno(), out_write, err_write)
            _become_child(prison, importable, cold=cold, rehearsed=rehearsed)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    theirs.close()
    os.close(out_write)
    os.close(err_write)
    return Forked(number, pid, ours, {"stdout": out_read, "stderr": err_read})


def _become_child(prison: Jail, importable: frozenset[str], *, cold: bool, rehearsed: bool) -> None:
    """Enters the jail, says so, and serves."""
    os.setsid()
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as score:
        score.write("1000")  # where memory runs out, it goes first
    signal.set_wakeup_fd(-1)
    torch.set_num_threads(1)  # torch makes its pool anew after a fork, which threads of a submission would race for
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = sys.__stdout__ = _stream(1)  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _stream(2)  # type: ignore[misc]
    jail.enter(prison)
    if rehearsed:
        warming.touch_pages()
    gc.enable()
    os.write(jail.FRAMES_FD, GREETING)
    child.main(jail.FRAMES_FD, jail.FRAMES_FD, importable, cold=cold)


def _move_descriptors(frames: int, out: int, err: int) -> None:
    """To 0 null, 1 and 2 the pipes, 3 frames. They are first moved out of each other's way."""
    for number in (out, err):
        os.set_blocking(number, True)
    high = [fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in (frames, out, err)]
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for fd, place in zip(high, (jail.FRAMES_FD, 1, 2), strict=True):
        os.dup2(fd, place)


def _stream(fd: int) -> Any:
    """Line by line, so that what a killed child printed is not lost."""
    return open(fd, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)
