"""One child as the host sees it: frames over a channel, questions about it to its supervisor. Shared by the drivers.

exchange ─▶ frame out ─▶ frame in ─▶ answer;  deadline passed, hung up or no frame ─▶ close ─▶ SessionEnded
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from typing import Any, Protocol

from sandbox.limits import (
    COLD_STATUS,
    GREETING,
    MEMORY_STATUS,
    EndKind,
    Limits,
    SandboxFault,
    SessionEnded,
    Usage,
)

ANSWER_S = 20.0
"""Wall seconds for an answer of the supervisor, or for a child to be in its jail."""


class Channel(Protocol):
    """Bytes to and from one child. TimeoutError where the seconds pass, another OSError where its end is gone."""

    def send(self, data: memoryview, seconds: float) -> int: ...
    def receive(self, seconds: float) -> bytes: ...
    def peak_kb(self) -> int: ...
    def close(self) -> None: ...


class Supervisor(Protocol):
    """Takes control messages, see `sandbox.runner`."""

    warmed: bool

    def tell(self, request: dict[str, Any]) -> None: ...
    def ask(self, request: dict[str, Any]) -> tuple[dict[str, Any], list[int]]: ...


def opening(limits: Limits) -> dict[str, Any]:
    """The request for a child. It runs where who talks to it runs: they take turns, and the caches stay warm."""
    cpus = sorted(os.sched_getaffinity(0)) if sys.platform == "linux" else []
    return {"op": "open", "memory_mb": limits.memory_mb, "cpu_s": limits.cpu_s, "cpus": cpus}


class FrameSession:
    """One submission's process."""

    def __init__(self, supervisor: Supervisor, opened: dict[str, Any], channel: Channel, limits: Limits) -> None:
        self.supervisor, self.channel, self.limits = supervisor, channel, limits
        self.number: int = opened["session"]
        self.baseline_kb: int = opened["baseline_kb"]
        self.buffer = bytearray()
        self.ended: SessionEnded | None = None
        self.greeted = False

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
        return max(0, self.channel.peak_kb() - self.baseline_kb)

    def garbled(self) -> SessionEnded:
        """For the host's decoder: what came was no answer."""
        return self._end("garbled")

    def close(self) -> None:
        """Ends the child without waiting for it; the supervisor buries it."""
        if self.ended is None:
            self.ended = SessionEnded("exit")
            self.channel.close()
            self.supervisor.tell({"op": "close", "session": self.number, "quiet": True})

    def _greet(self) -> None:
        """Waits for the child to be in its jail. SandboxFault, with its last words, where it does not get there."""
        try:
            self._fill(1, time.perf_counter() + ANSWER_S)
            self.greeted = bytes(self._take(1)) == GREETING
        except SessionEnded as error:
            raise SandboxFault(f"the child did not enter its jail: {error}: {error.usage.stderr[-500:]}") from None
        if not self.greeted:
            raise SandboxFault("the child did not enter its jail")

    def _send(self, data: bytes, deadline: float) -> None:
        view = memoryview(data)
        while view:
            left = self._left(deadline)
            try:
                view = view[self.channel.send(view, left) :]
            except TimeoutError:
                raise self._end("time") from None
            except OSError:
                raise self._end("") from None

    def _fill(self, size: int, deadline: float) -> None:
        """Reads until that many bytes are there. Grows with what arrives: a claimed size allocates nothing."""
        while len(self.buffer) < size:
            left = self._left(deadline)
            try:
                chunk = self.channel.receive(left)
            except TimeoutError:
                raise self._end("time") from None
            except OSError:
                raise self._end("") from None
            if not chunk:
                raise self._end("")
            self.buffer += chunk

    def _take(self, size: int) -> bytearray:
        taken, self.buffer = self.buffer[:size], self.buffer[size:]
        return taken

    def _left(self, deadline: float) -> float:
        left = deadline - time.perf_counter()
        if left <= 0:
            raise self._end("time")
        return left

    def _ask(self, operation: str) -> tuple[Usage, tuple[str, int] | None]:
        answer, _ = self.supervisor.ask({"op": operation, "session": self.number})
        if answer.get("op") != "report":
            raise SandboxFault("the supervisor does not know the session")
        usage = Usage(answer["stdout"], answer["stderr"], answer["peak_kb"])
        return usage, tuple(answer["ended"]) if answer["ended"] else None

    def _end(self, kind: EndKind | Any) -> SessionEnded:
        """Closes the session. An empty kind asks the supervisor how the child ended."""
        with contextlib.suppress(OSError):
            self.channel.close()
        usage, ended = self._ask("close")
        detail = 0
        if not kind and ended:
            kind, detail = ended
        elif ended and ended[0] in ("output", "memory", "threads"):
            kind = ended[0]
        if kind == "signal" and detail == 9 and usage.peak_kb > self.limits.memory_mb * 900:
            kind = "memory"
        if kind == "exit" and detail == COLD_STATUS and not self.supervisor.warmed:
            kind = "cold"
        if kind == "exit" and detail == MEMORY_STATUS:
            kind = "memory"
        self.ended = SessionEnded(kind or "exit", detail, usage)
        return self.ended
