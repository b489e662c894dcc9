"""No sandbox: a plain process, killed on time-out. On every system, for one's own code only; the caller says so."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import IO

from sandbox.limits import COLD_STATUS, OUTPUT_LIMIT, EndKind, Limits, SessionEnded, Usage
from sandbox.output import Kept

NAME = "none"
TAKES_OPTION = False
START_S = 60.0
"""Added to the first exchange: this process imports torch itself."""


def check(option: str = "") -> None:
    """Runs everywhere."""


def open_sandbox(option: str = "") -> PlainSandbox:
    return PlainSandbox()


class PlainSandbox:
    """Starts a process per session."""

    name = NAME
    cheap = False

    def __init__(self) -> None:
        self.warmed = False

    def wait_ready(self) -> None:
        """Nothing is kept ready."""

    def warm(self) -> None:
        """From now on each process imports what is slow before its first frame."""
        self.warmed = True

    def open(self, limits: Limits) -> PlainSession:
        return PlainSession(limits, warm=self.warmed)

    def close(self) -> None:
        """Nothing to end."""


class PlainSession:
    """One process. A thread carries its answers, so that a read can have a deadline on every system."""

    def __init__(self, limits: Limits, *, warm: bool) -> None:
        self.limits, self.warmed = limits, warm
        self.folder = tempfile.TemporaryDirectory(prefix="judge-plain-", ignore_cleanup_errors=True)
        self.printed = Path(self.folder.name) / "printed"
        self.printed.touch()
        self.read_so_far = 0
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "sandbox.plain", str(self.printed), *(["--warm"] if warm else [])],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, cwd=self.folder.name,
        )  # fmt: skip
        self.answers: queue.Queue[bytes] = queue.Queue()
        self.rest = bytearray()
        assert self.process.stdout is not None
        threading.Thread(target=self._carry, args=(self.process.stdout,), daemon=True).start()
        self.extra = START_S
        self.ended: SessionEnded | None = None

    def _carry(self, stream: IO[bytes]) -> None:
        while chunk := os.read(stream.fileno(), 1 << 20):
            self.answers.put(chunk)
        self.answers.put(b"")

    def exchange(self, data: bytes, seconds: float) -> tuple[bytes, bytearray, float]:
        """As the other drivers. The first exchange may take longer by the import of torch, which is not counted."""
        from sandbox import wire

        if self.ended is not None:
            raise self.ended
        start = time.perf_counter()
        deadline, self.extra = start + seconds + self.extra, 0.0
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except OSError:
            raise self._end("exit") from None
        try:
            header_size, body_size = wire.read_prefix(bytes(self._read(wire.PREFIX.size, deadline)))
        except wire.WireError:
            raise self._end("garbled") from None
        header, body = self._read(header_size, deadline), self._read(body_size, deadline)
        return bytes(header), body, min(time.perf_counter() - start, seconds)

    def report(self) -> Usage:
        """What was printed since the last report; memory is not measured."""
        with self.printed.open("rb") as printed:
            printed.seek(self.read_so_far)
            data = printed.read(OUTPUT_LIMIT + 1)
        self.read_so_far += len(data)
        if len(data) > OUTPUT_LIMIT and self.ended is None:
            raise self._end("output")
        kept = Kept()
        kept.add(data)
        return Usage(kept.take())

    def peak_kb(self) -> int:
        return 0

    def garbled(self) -> SessionEnded:
        return self._end("garbled")

    def close(self) -> None:
        if self.ended is None:
            self._end("exit")

    def _read(self, size: int, deadline: float) -> bytearray:
        while len(self.rest) < size:
            try:
                chunk = self.answers.get(timeout=max(0.0, deadline - time.perf_counter()))
            except queue.Empty:
                raise self._end("time") from None
            if not chunk:
                raise self._end("exit")
            self.rest += chunk
        data, self.rest = self.rest[:size], self.rest[size:]
        return data

    def _end(self, kind: EndKind) -> SessionEnded:
        if self.printed.stat().st_size > OUTPUT_LIMIT:
            kind = "output"
        self.ended = SessionEnded(kind)
        if kind in ("exit", "garbled"):
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(0.5)
        code = self.process.poll()
        self.process.kill()
        self.process.wait()
        if kind == "exit" and code is not None:
            cold = code == COLD_STATUS and not self.warmed
            self.ended = SessionEnded("signal", -code) if code < 0 else SessionEnded("cold" if cold else "exit", code)
        self.ended.usage = self.report()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self.folder.cleanup()
        return self.ended
