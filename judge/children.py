"""Child processes of `judge serve`: started in sessions of their own, watched, started again with growing pauses.

When the parent is killed, the kernel sends its children SIGTERM (Linux).
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import time
from collections.abc import Mapping
from subprocess import Popen
from typing import Any

from judge.queue import Bell
from judge.worker import READY

STEADY_S = 10.0
MAX_PAUSE_S = 10.0
PR_SET_PDEATHSIG = 1


class Child:
    """One child process and its restarts."""

    def __init__(self, module: str, environment: Mapping[str, str], inherited: tuple[Bell, ...]) -> None:
        self.module, self.environment = module, dict(environment)
        self.inherited = [fd for bell in inherited for fd in (bell.read_fd, bell.write_fd) if fd is not None]
        self.process: Popen[bytes] | None = None
        self.starts = 0
        self.started = 0.0
        self.next_start = 0.0
        self.retired = False
        """Not to be started again."""

    def start(self, *extra: int, **environment: str) -> None:
        """Starts it in a session of its own, so that Ctrl-C reaches the parent only."""
        self.starts += 1
        self.started = time.monotonic()
        self.process = Popen(
            [sys.executable, "-P", "-m", self.module],
            env=self.environment | environment,
            pass_fds=[*self.inherited, *extra],
            start_new_session=True,
            preexec_fn=_die_with_parent,
        )

    def ended(self) -> int | None:
        """Its exit code once, when it has ended; plans the next start."""
        code = self.process.poll() if self.process else None
        if code is None:
            return None
        self.process = None
        if time.monotonic() - self.started > STEADY_S:
            self.starts = 0
        pause = min(MAX_PAUSE_S, 0.5 * 2 ** (self.starts - 1)) if self.starts else 0.0
        self.next_start = time.monotonic() + pause
        return code

    def due(self) -> bool:
        return self.process is None and not self.retired and time.monotonic() >= self.next_start

    def send(self, number: int) -> None:
        if self.process:
            self.process.send_signal(number)

    def kill(self) -> None:
        """Ends it and whatever it started in its session."""
        if self.process:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


class WorkerChild(Child):
    """A grading process. It says on a pipe when it is ready, or why it never will be."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.pipe: int | None = None
        self.name = self.sandbox = self.error = ""

    @property
    def ready(self) -> bool:
        return bool(self.sandbox)

    def launch(self) -> None:
        """Starts it with a new pipe for its message."""
        self.name = self.sandbox = ""
        bell = Bell.make()
        assert bell.write_fd is not None
        self.start(bell.write_fd, **{f"{READY}_WRITE_FD": str(bell.write_fd)})
        os.close(bell.write_fd)
        self.pipe = bell.read_fd

    def listen(self) -> None:
        """Reads its message; one line, written at once."""
        if self.pipe is None:
            return
        try:
            line = os.read(self.pipe, 65536)
        except BlockingIOError:
            return
        message = json.loads(line) if line else {}
        self.name, self.sandbox = message.get("worker", ""), message.get("sandbox", "")
        self.error = message.get("error", "")
        os.close(self.pipe)
        self.pipe = None


_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def _die_with_parent() -> None:
    """Between fork and exec of a child: SIGTERM when the parent's (only) thread ends."""
    if _libc is not None:
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
