"""The supervisor: imports torch once, forks a jailed child per session, watches it, and tells what it used.

    host  <-- control (SOCK_SEQPACKET, JSON) -->  supervisor  -- fork -->  child
    host  <-- frames (the child's own socket, handed over with `opened`) -->  child

Control messages, one JSON object each; the first says {"op": "ready", "pid", "landlock"}:
    {"op": "open", "memory_mb", "cpu_s"}  ->  {"op": "opened", "session", "pid", "baseline_kb"}, the frame socket
    {"op": "warm"}                        ->  {"op": "warm"} when what is slow to import is imported
    {"op": "report", "session"}           ->  output since the last report, peak memory, how it ended if it did;
                                              for no session: "unknown", and whether the next one is ready
    {"op": "close", "session"}            ->  the same, after the child is killed and reaped; no answer if "quiet"

A child that is in its jail says so with one byte before its first frame: what ends before that is our fault.
It never runs submission code and never reads frames. One spare child waits, jailed, for the next session. When the
host goes, everything goes. One thread only: a child hangs in OpenMP if its parent ever ran a threaded operation.
"""

from __future__ import annotations

import argparse
import array
import contextlib
import gc
import json
import os
import resource
import selectors
import signal
import socket
import sys
import sysconfig
import time
import traceback
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from sandbox import child, jail, warming
from sandbox.limits import GREETING, KEPT_OUTPUT, MAX_THREADS, OUTPUT_LIMIT

WATCH_S = 0.02
ADDRESS_SPACE = 16 << 30
"""Bytes that a child may map over what it starts with: threads reserve much and use little."""
SPARE_DELAY_S = 0.03
"""After a session closes; a fork takes milliseconds of a core, and just then others finish the judging."""
CONTROL_FD = 3
LAYERS = (*jail.LAYERS, "watch")
"""What `--without` may name, for tests and for the table of what each layer stops. Never in service."""


def _host_prefixes() -> tuple[str, ...]:
    """Folders whose names say something of this host: ours, and where the packages lie."""
    ours = str(Path(__file__).parent.parent)
    return tuple(sorted({f"{ours}/", *(f"{sysconfig.get_path(key)}/" for key in ("purelib", "stdlib"))}, key=len))[::-1]


class Kept:
    """The head and the tail of a stream."""

    prefixes = _host_prefixes()

    def __init__(self) -> None:
        self.head, self.tail, self.dropped = b"", b"", False

    def add(self, data: bytes) -> None:
        room = KEPT_OUTPUT * 3 // 4 - len(self.head)
        self.head += data[:room]
        rest = self.tail + data[max(room, 0) :]
        self.tail = rest[-KEPT_OUTPUT // 4 :]
        self.dropped = self.dropped or len(rest) > len(self.tail)

    def take(self) -> str:
        middle = b"\n...\n" if self.dropped else b""
        text = (self.head + middle + self.tail).decode("utf-8", "backslashreplace")
        self.head, self.tail, self.dropped = b"", b"", False
        for prefix in self.prefixes:
            text = text.replace(prefix, "")
        return text


@dataclass
class Session:
    """One child and what is known of it."""

    number: int
    pid: int
    frames: socket.socket | None
    pipes: dict[str, int]
    baseline_kb: int
    kept: dict[str, Kept] = field(default_factory=lambda: {"stdout": Kept(), "stderr": Kept()})
    printed: int = 0
    unseen: int = 0
    peak_kb: int = 0
    memory_kb: int = 0
    ended: tuple[str, int] | None = None
    reaped: bool = False


class Supervisor:
    """Serves one host until it hangs up."""

    def __init__(
        self, control: socket.socket, *, without: Collection[str] = (), optional: Collection[str] = ()
    ) -> None:
        self.control = control
        self.selector = selectors.DefaultSelector()
        self.selector.register(control, selectors.EVENT_READ, None)
        self.sessions: dict[int, Session] = {}
        self.count = 0
        self.spare: Session | None = None
        self.dying: list[int] = []
        self.next_look = 0.0
        self.spare_due = 0.0
        self.warm = False
        self.importable = jail.importable_names()
        self.without = frozenset(without)
        self.jail = jail.prepare(without=without, optional=optional)

    def serve(self) -> None:
        """The loop: control messages, output, and a look at each running child every 20 ms."""
        while True:
            if self.spare is None and not self.sessions and time.monotonic() >= self.spare_due:
                self.spare = self._fork(rehearsed=True)
            busy = self.sessions or self.dying or self.spare is None
            for key, _ in self.selector.select(WATCH_S if busy else None):
                if key.data is None:
                    if not self._control():
                        return
                else:
                    session, stream = key.data
                    self._drain(session, stream)
            if time.monotonic() >= self.next_look:
                self.next_look = time.monotonic() + WATCH_S
                for session in list(self.sessions.values()):
                    self._watch(session)
                self._bury()

    def _control(self) -> bool:
        data = self.control.recv(1 << 16)
        if not data:
            return False
        request = json.loads(data)
        if request["op"] == "open":
            self._open(request)
        elif request["op"] == "warm":
            self._warm()
            self._reply({"op": "warm"})
        elif (session := self.sessions.get(request["session"])) is not None:
            if request.get("quiet"):
                self._kill_later(session)
            elif request["op"] == "close":
                self._kill(session)
            if not request.get("quiet"):
                self._reply(self._report(session))
            if request["op"] == "close":
                self._forget(session)
        else:
            self._reply({"op": "unknown", "at_rest": self.spare is not None and not self.dying})
        return True

    def _warm(self) -> None:
        if not self.warm:
            warming.slow_imports()
            self.warm = True
            if self.spare is not None:
                self._kill(self.spare)
                self._discard(self.spare)
                self.spare = None

    def _reply(self, message: dict[str, Any], fds: tuple[int, ...] = ()) -> None:
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
        self.control.sendmsg([json.dumps(message).encode()], rights)

    def _open(self, request: dict[str, Any]) -> None:
        session, self.spare = self.spare or self._fork(rehearsed=False), None
        if "rlimits" not in self.without:
            used = _status_kb(session.pid, ("VmData:", "VmSize:"))
            limit = (used.get("VmData:", 0) + request["memory_mb"] * 1024) * 1024
            resource.prlimit(session.pid, resource.RLIMIT_DATA, (limit, limit))
            space = used.get("VmSize:", 0) * 1024 + ADDRESS_SPACE  # reading an endless mapping costs page tables
            resource.prlimit(session.pid, resource.RLIMIT_AS, (space, space))
            seconds = max(1, int(request["cpu_s"] + 0.999))
            resource.prlimit(session.pid, resource.RLIMIT_CPU, (seconds, seconds))
        session.memory_kb = request["memory_mb"] * 1024
        self.sessions[session.number] = session
        for stream, pipe in session.pipes.items():
            self.selector.register(pipe, selectors.EVENT_READ, (session, stream))
        assert session.frames is not None
        self._reply(
            {"op": "opened", "session": session.number, "pid": session.pid, "baseline_kb": session.baseline_kb},
            (session.frames.fileno(),),
        )
        session.frames.close()
        session.frames = None

    def _fork(self, *, rehearsed: bool) -> Session:
        """A child that is jailed and waits for its first frame. `rehearsed`: nobody waits for it yet."""
        ours, theirs = socket.socketpair()
        out_read, out_write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        err_read, err_write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self.count += 1
        pid = os.fork()
        if pid == 0:
            try:
                self._become_child(theirs.fileno(), out_write, err_write, rehearsed)
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(1)
        theirs.close()
        os.close(out_write)
        os.close(err_write)
        baseline = _status_kb(pid, ("VmRSS:",)).get("VmRSS:", 0)
        return Session(self.count, pid, ours, {"stdout": out_read, "stderr": err_read}, baseline)

    def _become_child(self, frames: int, out: int, err: int, rehearsed: bool) -> None:
        """Moves the descriptors to their places, enters the jail, and serves."""
        os.setsid()
        signal.set_wakeup_fd(-1)
        for number in (out, err):
            os.set_blocking(number, True)
        kept = [os.dup(number) for number in (frames, out, err)]
        high = [fd if fd > 10 else _above(fd, 10) for fd in kept]
        os.dup2(high[1], 1)
        os.dup2(high[2], 2)
        os.dup2(high[0], 3)
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout = sys.__stdout__ = _stream(1)  # type: ignore[misc]
        sys.stderr = sys.__stderr__ = _stream(2)  # type: ignore[misc]
        jail.enter(self.jail)
        if rehearsed:
            warming.touch_pages()
        gc.enable()
        os.write(3, GREETING)
        child.main(3, 3, self.importable, cold=not self.warm)

    def _drain(self, session: Session, stream: str) -> None:
        """Reads what is there. Past the hard cap the child is killed."""
        pipe = session.pipes.get(stream)  # a session closed in the same round of events has none
        while pipe is not None:
            try:
                data = os.read(pipe, 1 << 16)
            except BlockingIOError:
                return
            if not data:
                self.selector.unregister(pipe)
                os.close(pipe)
                del session.pipes[stream]
                return
            session.printed += len(data)
            session.kept[stream].add(data)
            if session.printed > OUTPUT_LIMIT and session.ended is None and "watch" not in self.without:
                self._end(session, "output")
                return

    def _watch(self, session: Session) -> None:
        if session.reaped or session.ended is not None:
            return
        seen = _status_kb(session.pid, ("VmHWM:", "Threads:", "VmRSS:"))
        session.peak_kb = max(session.peak_kb, seen.get("VmHWM:", 0) - session.baseline_kb)
        watching = "watch" not in self.without
        if watching and seen.get("Threads:", 0) > MAX_THREADS:
            self._end(session, "threads")
        elif watching and seen.get("VmRSS:", 0) - session.baseline_kb > session.memory_kb * 5 // 4:
            self._end(session, "memory")
        else:
            self._reap(session, os.WNOHANG)
            session.unseen = 0 if "VmRSS:" in seen else session.unseen + 1
            # its main thread is gone, and others go on unseen
            if watching and session.unseen > 5 and not session.reaped:
                self._end(session, "exit")

    def _end(self, session: Session, kind: str) -> None:
        session.ended = (kind, 0)
        self._kill(session)

    def _kill(self, session: Session) -> None:
        if not session.reaped:
            with contextlib.suppress(ProcessLookupError):
                os.kill(session.pid, signal.SIGKILL)
            self._reap(session, 0)

    def _kill_later(self, session: Session) -> None:
        """Kills without waiting: taking down so large a process takes milliseconds."""
        if not session.reaped:
            os.kill(session.pid, signal.SIGKILL)
            self.dying.append(session.pid)

    def _bury(self) -> None:
        self.dying = [pid for pid in self.dying if os.waitpid(pid, os.WNOHANG)[0] == 0]

    def _reap(self, session: Session, flags: int) -> None:
        pid, status, usage = os.wait4(session.pid, flags)
        if pid == 0:
            return
        session.reaped = True
        session.peak_kb = max(session.peak_kb, usage.ru_maxrss - session.baseline_kb)
        if session.ended is None:
            code = os.waitstatus_to_exitcode(status)
            session.ended = ("exit", code) if code >= 0 else ("signal", -code)

    def _report(self, session: Session) -> dict[str, Any]:
        for stream in list(session.pipes):
            self._drain(session, stream)
        self._watch(session)
        return {
            "op": "report",
            "stdout": session.kept["stdout"].take(),
            "stderr": session.kept["stderr"].take(),
            "peak_kb": session.peak_kb,
            "ended": session.ended,
        }

    def _forget(self, session: Session) -> None:
        self.spare_due = time.monotonic() + SPARE_DELAY_S
        for stream in list(session.pipes):
            pipe = session.pipes.pop(stream)
            self.selector.unregister(pipe)
            os.close(pipe)
        del self.sessions[session.number]

    def _discard(self, spare: Session) -> None:
        for pipe in spare.pipes.values():
            os.close(pipe)
        if spare.frames is not None:
            spare.frames.close()

    def close(self) -> None:
        """Kills every child."""
        for session in [*self.sessions.values(), *([self.spare] if self.spare else [])]:
            self._kill(session)


def _above(fd: int, floor: int) -> int:
    import fcntl

    return fcntl.fcntl(fd, fcntl.F_DUPFD, floor)


def _stream(fd: int) -> Any:
    """Line by line, so that what a killed child printed is not lost."""
    return open(fd, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)


def _status_kb(pid: int, names: tuple[str, ...]) -> dict[str, int]:
    """Fields of /proc/<pid>/status as numbers (kB, or a count); empty where the process is gone."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as status:
            lines = [line.split() for line in status]
    except OSError:
        return {}
    return {line[0]: int(line[1]) for line in lines if line and line[0] in names}


def main() -> None:
    gc.disable()
    parser = argparse.ArgumentParser(description="Runs submissions for the judge. Started by a driver, not by hand.")
    parser.add_argument("--control", type=int, default=CONTROL_FD)
    parser.add_argument("--without", action="append", default=[], choices=LAYERS)
    parser.add_argument("--optional", action="append", default=[], choices=["landlock"])
    options = parser.parse_args()
    control = socket.socket(fileno=options.control)
    torch.set_num_threads(1)
    torch.set_num_interop_threads(1)
    warming.first_calls()
    supervisor = Supervisor(control, without=options.without, optional=options.optional)
    ready = {"op": "ready", "pid": os.getpid(), "landlock": supervisor.jail.landlock}
    control.send(json.dumps(ready).encode())
    try:
        supervisor.serve()
    finally:
        supervisor.close()


if __name__ == "__main__":
    main()
