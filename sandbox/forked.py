"""A child as its supervisor sees it: what it printed and used, how it ended, and how it is ended.

drain   reads its output            look     memory, threads, CPU time; ends it past a limit
bound   its limits for one session  kill, reap, report      run_on  its place
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import socket
import time
from dataclasses import dataclass, field
from typing import Any

from sandbox.limits import MAX_THREADS, OUTPUT_LIMIT
from sandbox.output import Kept
from sandbox.processes import status_kb

ADDRESS_SPACE = 16 << 30
"""Bytes that a child may map over what it starts with: threads reserve much and use little."""
OOM_COUNTS = ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control")
"""Where a container's cgroup counts what the kernel killed for want of memory: version 2, version 1."""
LATE_S = 2.0
"""CPU seconds after the limit at which the kernel ends a child that no look has ended."""


@dataclass
class Forked:
    """One child and what is known of it. `watched`, `bounded`: off only to see what the other layers stop."""

    number: int
    pid: int
    frames: socket.socket
    pipes: dict[str, int]
    watched: bool = True
    bounded: bool = True
    baseline_kb: int = 0
    file_kb: int = 0
    memory_kb: int = 0
    cpu_s: float = 0.0
    oom_kills: int = 0
    kept: dict[str, Kept] = field(default_factory=lambda: {"stdout": Kept(), "stderr": Kept()})
    printed: int = 0
    unseen: int = 0
    peak_kb: int = 0
    ended: tuple[str, int] | None = None
    reaped: bool = False

    def bound(self, memory_mb: int, cpu_s: float) -> None:
        """Sets the limits, counted from what it uses now, and begins its peak anew."""
        with contextlib.suppress(OSError), open(f"/proc/{self.pid}/clear_refs", "w", encoding="ascii") as peak:
            peak.write("5")
        used = status_kb(self.pid, ("VmData:", "VmSize:", "VmRSS:", "RssFile:"))
        self.file_kb = used.get("RssFile:", 0)
        self.baseline_kb = used.get("VmRSS:", 0) - self.file_kb
        self.memory_kb = memory_mb * 1024
        self.cpu_s = cpu_seconds(self.pid) + cpu_s
        self.oom_kills = oom_kills()
        if self.bounded:
            data = (used.get("VmData:", 0) + self.memory_kb) * 1024
            space = used.get("VmSize:", 0) * 1024 + ADDRESS_SPACE  # reading an endless mapping costs page tables
            seconds = int(self.cpu_s + LATE_S)
            for which, limit in (
                (resource.RLIMIT_DATA, data),
                (resource.RLIMIT_AS, space),
                (resource.RLIMIT_CPU, seconds),
            ):
                resource.prlimit(self.pid, which, (limit, limit))

    def run_on(self, cpus: list[int]) -> None:
        """Keeps it to these, as far as it may run there at all."""
        with contextlib.suppress(OSError):
            os.sched_setaffinity(self.pid, cpus)

    def drain(self, stream: str) -> int | None:
        """Reads what is there; past the hard cap the child is killed. The pipe if it is closed now."""
        pipe = self.pipes.get(stream)  # a child forgotten in the same round of events has none
        while pipe is not None:
            try:
                data = os.read(pipe, 1 << 16)
            except BlockingIOError:
                return None
            if not data:
                del self.pipes[stream]
                return pipe
            self.printed += len(data)
            self.kept[stream].add(data)
            if self.printed > OUTPUT_LIMIT and self.ended is None and self.watched:
                self.end("output")
                return None
        return None

    def look(self) -> None:
        """Its memory, threads and CPU time now; and whether it has ended."""
        if self.reaped or self.ended is not None:
            return
        seen = status_kb(self.pid, ("VmHWM:", "Threads:", "VmRSS:", "RssFile:"))
        self.file_kb = seen.get("RssFile:", self.file_kb)
        self._saw_peak(seen.get("VmHWM:", 0))
        if self.watched and seen.get("Threads:", 0) > MAX_THREADS:
            return self.end("threads")
        if self.watched and seen.get("VmRSS:", 0) - self.file_kb - self.baseline_kb > self.memory_kb * 5 // 4:
            return self.end("memory")
        if self.watched and cpu_seconds(self.pid) > self.cpu_s:
            return self.end("signal", signal.SIGXCPU)
        self.reap(os.WNOHANG)
        self.unseen = 0 if "VmRSS:" in seen else self.unseen + 1
        if self.watched and self.unseen > 5 and not self.reaped:
            self.kill()  # its main thread is gone and others go on unseen, or it is just ending
            self.ended = ("exit", 0) if self.ended == ("signal", signal.SIGKILL) else self.ended

    def _saw_peak(self, resident_kb: int) -> None:
        """Without pages of files: those of torch's libraries come as they are used, and belong to nobody.

        Nothing where it was gone before `bound` could see what it started with.
        """
        if self.baseline_kb:
            self.peak_kb = max(self.peak_kb, resident_kb - self.file_kb - self.baseline_kb)

    def end(self, kind: str, detail: int = 0) -> None:
        """Kills it for what it did."""
        self.ended = (kind, detail)
        self.kill()

    def kill(self) -> None:
        if not self.reaped:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            self.reap(0)

    def reap(self, flags: int) -> None:
        pid, status, usage = os.wait4(self.pid, flags)
        if pid == 0:
            return
        self.reaped = True
        self._saw_peak(usage.ru_maxrss)
        if self.ended is None:
            code = os.waitstatus_to_exitcode(status)
            if code == -signal.SIGKILL and usage.ru_utime + usage.ru_stime > self.cpu_s > 0:
                code = -signal.SIGXCPU
            if code == -signal.SIGKILL and oom_kills() > self.oom_kills:
                self.ended = ("memory", 0)
                return
            self.ended = ("exit", code) if code >= 0 else ("signal", -code)

    def report(self) -> dict[str, Any]:
        """What the host is told."""
        return {
            "op": "report",
            "stdout": self.kept["stdout"].take(),
            "stderr": self.kept["stderr"].take(),
            "peak_kb": self.peak_kb,
            "ended": self.ended,
        }

    def close(self) -> None:
        """Of a child that no session had: kills it and closes our ends."""
        self.kill()
        self.frames.close()
        for pipe in self.pipes.values():
            os.close(pipe)


def cpu_seconds(pid: int) -> float:
    """Of all its threads, ended ones too; 0 where the process is gone. The clock's number is made of the pid."""
    try:
        return time.clock_gettime(~pid << 3 | 2)
    except OSError:
        return 0.0


def oom_kills() -> int:
    """How many processes of this container the kernel has killed for want of memory; 0 outside of one."""
    for path in OOM_COUNTS:
        with contextlib.suppress(OSError), open(path, encoding="ascii") as lines:
            return sum(int(line.split()[1]) for line in lines if line.startswith("oom_kill "))
    return 0
