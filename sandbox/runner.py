"""The supervisor: imports torch once, forks a jailed child per session, watches it, and tells what it used.

    host  <-- control (SOCK_SEQPACKET, JSON) -->  supervisor  -- fork -->  child
    host  <-- frames (the child's own socket, handed over with `opened`) -->  child

Control messages, one JSON object each; the first says {"op": "ready", "pid", "landlock"}:
    {"op": "open", "memory_mb", "cpu_s",
     "cpus": [number...]}                 ->  {"op": "opened", "session", "pid", "baseline_kb"}, the frame socket
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
import selectors
import shutil
import signal
import socket
import time
from collections.abc import Collection
from typing import Any

import torch

from sandbox import forking, jail, warming
from sandbox.forked import Forked

WATCH_S = 0.02
SPARE_DELAY_S = 0.03
"""After a session closes; a fork takes milliseconds of a core, and just then others finish the judging."""
CONTROL_FD = 3
LAYERS = (*jail.LAYERS, "watch")
"""What `--without` may name, for tests and for the table of what each layer stops. Never in service."""


class Supervisor:
    """Serves one host until it hangs up."""

    def __init__(
        self, control: socket.socket, *, without: Collection[str] = (), optional: Collection[str] = ()
    ) -> None:
        self.control = control
        self.selector = selectors.DefaultSelector()
        self.selector.register(control, selectors.EVENT_READ, None)
        self.sessions: dict[int, Forked] = {}
        self.count = 0
        self.spare: Forked | None = None
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
                    session.look()
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
                session.kill()
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
            warming.huge_pages()
            self.warm = True
            if self.spare is not None:
                self.spare.close()
                self.spare = None

    def _reply(self, message: dict[str, Any], fds: tuple[int, ...] = ()) -> None:
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
        self.control.sendmsg([json.dumps(message).encode()], rights)

    def _open(self, request: dict[str, Any]) -> None:
        session = self._living_spare() or self._fork(rehearsed=False)
        session.bound(request["memory_mb"], request["cpu_s"])
        session.run_on(request["cpus"])
        self.sessions[session.number] = session
        for stream, pipe in session.pipes.items():
            self.selector.register(pipe, selectors.EVENT_READ, (session, stream))
        self._reply(
            {"op": "opened", "session": session.number, "pid": session.pid, "baseline_kb": session.baseline_kb},
            (session.frames.fileno(),),
        )
        session.frames.close()

    def _living_spare(self) -> Forked | None:
        """The spare child, unless somebody has killed it: nobody watches one that waits."""
        spare, self.spare = self.spare, None
        if spare is not None:
            spare.reap(os.WNOHANG)
            if spare.reaped:
                spare.close()
                return None
        return spare

    def _fork(self, *, rehearsed: bool) -> Forked:
        self.count += 1
        child = forking.fork(self.count, self.jail, self.importable, cold=not self.warm, rehearsed=rehearsed)
        child.watched, child.bounded = "watch" not in self.without, "rlimits" not in self.without
        return child

    def _drain(self, session: Forked, stream: str) -> None:
        closed = session.drain(stream)
        if closed is not None:
            self.selector.unregister(closed)
            os.close(closed)

    def _kill_later(self, session: Forked) -> None:
        """Kills without waiting: taking down so large a process takes milliseconds."""
        if not session.reaped:
            os.kill(session.pid, signal.SIGKILL)
            self.dying.append(session.pid)

    def _bury(self) -> None:
        self.dying = [pid for pid in self.dying if os.waitpid(pid, os.WNOHANG)[0] == 0]

    def _report(self, session: Forked) -> dict[str, Any]:
        for stream in list(session.pipes):
            self._drain(session, stream)
        session.look()
        return session.report()

    def _forget(self, session: Forked) -> None:
        self.spare_due = time.monotonic() + SPARE_DELAY_S
        for stream in list(session.pipes):
            pipe = session.pipes.pop(stream)
            self.selector.unregister(pipe)
            os.close(pipe)
        del self.sessions[session.number]

    def close(self) -> None:
        """Kills every child."""
        for session in [*self.sessions.values(), *([self.spare] if self.spare else [])]:
            session.kill()


def main() -> None:
    gc.disable()
    parser = argparse.ArgumentParser(description="Runs submissions for the judge. Started by a driver, not by hand.")
    parser.add_argument("--control", type=int, default=CONTROL_FD)
    parser.add_argument("--folder", action="store_true", help="the working folder was made for this process")
    parser.add_argument("--without", action="append", default=[], choices=LAYERS)
    parser.add_argument("--optional", action="append", default=[], choices=["landlock"])
    options = parser.parse_args()
    control = socket.socket(fileno=options.control)
    torch.set_num_threads(1)
    torch.set_num_interop_threads(1)
    warming.first_calls()
    supervisor = Supervisor(control, without=options.without, optional=options.optional)
    ready = {"op": "ready", "pid": os.getpid(), "landlock": supervisor.jail.landlock}
    try:
        with contextlib.suppress(BrokenPipeError):  # then `serve` finds nobody
            control.send(json.dumps(ready).encode())
        supervisor.serve()
    finally:
        supervisor.close()
        if options.folder:  # the host may have been killed
            shutil.rmtree(os.getcwd(), ignore_errors=True)


if __name__ == "__main__":
    main()
