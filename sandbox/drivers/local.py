"""The default without Docker: a supervisor as a child process, empty environment, empty folder; no root needed."""

from __future__ import annotations

import array
import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from sandbox.limits import (
    COLD_STATUS,
    GREETING,
    MEMORY_STATUS,
    EndKind,
    Limits,
    SandboxFault,
    SandboxUnavailable,
    SessionEnded,
    Usage,
)

NAME = "local"
START_S = 120.0
ANSWER_S = 20.0


def check() -> None:
    """Raises SandboxUnavailable where this kernel cannot jail a process."""
    other = "Use --sandbox docker, or --sandbox none for code of your own"
    if not sys.platform.startswith("linux"):
        raise SandboxUnavailable("the local sandbox needs Linux", other)
    from sandbox import jail, seccomp

    if os.uname().machine not in seccomp.ARCHES:
        raise SandboxUnavailable(f"the local sandbox does not know the machine {os.uname().machine}", other)
    if not jail.landlock_abi():
        raise SandboxUnavailable("this kernel has no Landlock (Linux 5.13 or later, `landlock` in its LSM list)", other)


def open_sandbox() -> LocalSandbox:
    """Starts a supervisor; it imports torch while the caller goes on."""
    check()
    return LocalSandbox()


class LocalSandbox:
    """A supervisor process and the control socket to it."""

    name = NAME
    cheap = True

    def __init__(self, arguments: Sequence[str] = ()) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="judge-sandbox-"))
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        environment = {"LANG": "C.UTF-8", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "PYTHONHASHSEED": "0",
                       "PYTHONDONTWRITEBYTECODE": "1", "PYTHONNOUSERSITE": "1"}  # fmt: skip
        self.log = tempfile.TemporaryFile()  # noqa: SIM115
        program = [sys.executable, "-P", "-m", "sandbox.runner", f"--control={theirs.fileno()}", *arguments]
        self.process = subprocess.Popen(
            program, env=environment, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
            pass_fds=(theirs.fileno(),), start_new_session=True,
        )  # fmt: skip
        theirs.close()
        self.ready = self.warmed = False

    @property
    def pid(self) -> int:
        return self.process.pid

    def wait_ready(self) -> None:
        """Until torch is imported. SandboxFault with the supervisor's own words where it does not come up."""
        if not self.ready:
            message, _ = self._receive(START_S)
            self.ready = message.get("op") == "ready"

    def warm(self) -> None:
        """Until everything that is slow to import is imported too."""
        self.wait_ready()
        if not self.warmed:
            self.tell({"op": "warm"})
            self._receive(START_S)
            self.warmed = True

    def open(self, limits: Limits) -> LocalSession:
        """A fresh child. Raises SandboxFault."""
        self.wait_ready()
        answer, fds = self.ask({"op": "open", "memory_mb": limits.memory_mb, "cpu_s": limits.cpu_s})
        if not fds:
            raise SandboxFault("the supervisor gave no socket")
        return LocalSession(self, answer["session"], answer["pid"], socket.socket(fileno=fds[0]), limits,
                            baseline_kb=answer["baseline_kb"])  # fmt: skip

    def tell(self, request: dict[str, Any]) -> None:
        try:
            self.control.send(json.dumps(request).encode())
        except OSError as error:
            raise SandboxFault(f"the supervisor is gone ({error}): {self._last_words()}") from None

    def ask(self, request: dict[str, Any]) -> tuple[dict[str, Any], list[int]]:
        self.tell(request)
        return self._receive(ANSWER_S)

    def _receive(self, seconds: float) -> tuple[dict[str, Any], list[int]]:
        self.control.settimeout(seconds)
        try:
            data, ancillary, _, _ = self.control.recvmsg(1 << 17, socket.CMSG_SPACE(4))
        except OSError as error:
            raise SandboxFault(f"the supervisor does not answer: {error or 'time-out'}") from None
        if not data:
            raise SandboxFault(f"the supervisor ended: {self._last_words()}")
        fds = array.array("i")
        for level, kind, content in ancillary:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                fds.frombytes(content[: len(content) - len(content) % fds.itemsize])
        return json.loads(data), list(fds)

    def _last_words(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(1)
        self.log.seek(0)
        lines = self.log.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing"

    def close(self) -> None:
        """Ends the supervisor and with it every child."""
        self.control.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class LocalSession:
    """One child: frames go over its own socket, questions about it to the supervisor."""

    def __init__(self, sandbox: LocalSandbox, number: int, pid: int, frames: socket.socket, limits: Limits, *,
                 baseline_kb: int) -> None:  # fmt: skip
        self.sandbox, self.number, self.pid, self.frames, self.limits = sandbox, number, pid, frames, limits
        self.baseline_kb = baseline_kb
        self.buffer = bytearray()
        self.ended: SessionEnded | None = None
        self.greeted = False

    def _greet(self) -> None:
        """Waits for the child to be in its jail. SandboxFault, with its last words, where it does not get there."""
        try:
            self._fill(1, time.perf_counter() + ANSWER_S)
            self.greeted = bytes(self._take(1)) == GREETING
        except SessionEnded as error:
            raise SandboxFault(f"the child did not enter its jail: {error}: {error.usage.stderr[-500:]}") from None
        if not self.greeted:
            raise SandboxFault("the child did not enter its jail")

    def exchange(self, data: bytes, seconds: float) -> tuple[bytes, bytearray, float]:
        """Sends a frame and returns the answer's header and body, and the wall seconds that took.

        Raises SessionEnded (and every time after that) or SandboxFault.
        """
        from sandbox import wire

        if self.ended is not None:
            raise self.ended
        if not self.greeted:
            self._greet()
        start = time.perf_counter()
        deadline = start + seconds
        self._send(data, deadline)
        self._fill(wire.PREFIX.size, deadline)
        try:
            sizes = wire.read_prefix(bytes(self._take(wire.PREFIX.size)), max_body=2 * wire.MAX_RESULT)
        except wire.WireError:
            raise self._end("garbled") from None
        self._fill(sum(sizes), deadline)
        header = bytes(self._take(sizes[0]))
        return header, self._take(sizes[1]), time.perf_counter() - start

    def report(self) -> Usage:
        """Output since the last report and the peak memory so far."""
        return self._ask("report")[0]

    def peak_kb(self) -> int:
        """Peak memory so far over the baseline, without asking the supervisor."""
        try:
            with open(f"/proc/{self.pid}/status", encoding="ascii", errors="replace") as status:
                peak = next((int(line.split()[1]) for line in status if line.startswith("VmHWM:")), 0)
        except OSError:
            return 0
        return max(0, peak - self.baseline_kb)

    def garbled(self) -> SessionEnded:
        """For the host's decoder: what came was no answer."""
        return self._end("garbled")

    def close(self) -> None:
        """Ends the child without waiting for it; the supervisor buries it."""
        if self.ended is None:
            self.ended = SessionEnded("exit")
            self.frames.close()
            self.sandbox.tell({"op": "close", "session": self.number, "quiet": True})

    def _send(self, data: bytes, deadline: float) -> None:
        view = memoryview(data)
        while view:
            with self._until(deadline):
                view = view[self.frames.send(view) :]

    def _fill(self, size: int, deadline: float) -> None:
        """Reads until that many bytes are there. Grows with what arrives: a claimed size allocates nothing."""
        while len(self.buffer) < size:
            with self._until(deadline):
                chunk = self.frames.recv(1 << 16 if size < 1 << 16 else 1 << 20)
            if not chunk:
                raise self._end("")
            self.buffer += chunk

    def _take(self, size: int) -> bytearray:
        taken, self.buffer = self.buffer[:size], self.buffer[size:]
        return taken

    @contextlib.contextmanager
    def _until(self, deadline: float) -> Iterator[None]:
        """One socket call that is given up at the deadline; the child's end of the socket may be gone."""
        left = deadline - time.perf_counter()
        if left <= 0:
            raise self._end("time")
        self.frames.settimeout(left)
        try:
            yield
        except TimeoutError:
            raise self._end("time") from None
        except OSError:
            raise self._end("") from None

    def _ask(self, operation: str) -> tuple[Usage, tuple[str, int] | None]:
        answer, _ = self.sandbox.ask({"op": operation, "session": self.number})
        if answer.get("op") != "report":
            raise SandboxFault("the supervisor does not know the session")
        usage = Usage(answer["stdout"], answer["stderr"], answer["peak_kb"])
        return usage, tuple(answer["ended"]) if answer["ended"] else None

    def _end(self, kind: EndKind | Any) -> SessionEnded:
        """Closes the session. An empty kind asks the supervisor how the child ended."""
        with contextlib.suppress(OSError):
            self.frames.close()
        usage, ended = self._ask("close")
        detail = 0
        if not kind and ended:
            kind, detail = ended
        elif ended and ended[0] in ("output", "memory", "threads"):
            kind = ended[0]
        if kind == "signal" and detail == 9 and usage.peak_kb > self.limits.memory_mb * 900:
            kind = "memory"
        if kind == "exit" and detail == COLD_STATUS and not self.sandbox.warmed:
            kind = "cold"
        if kind == "exit" and detail == MEMORY_STATUS:
            kind = "memory"
        self.ended = SessionEnded(kind or "exit", detail, usage)
        return self.ended
