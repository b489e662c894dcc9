"""What a submission may use, what it used, and how it can end. Plain values, shared by every driver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

OUTPUT_LIMIT = 4 << 20
"""Bytes on stdout and stderr together after which a session ends."""
KEPT_OUTPUT = 4096
"""Bytes of each stream that are kept per report: the first three quarters and the last quarter."""
MAX_THREADS = 64
LOAD_LIMIT_S = 5.0
"""Wall seconds for reading and running the file itself."""
ALL_LOADS_S = 15.0
"""The same for all children of one grading together."""
GREETING = b"!"
"""What a child writes on its frame socket once it is in the jail."""
MEMORY_STATUS = 3
"""Exit status of a child that has no memory left even to say so."""

COLD_STATUS = 4
"""Exit status of a child that needs `torch._dynamo` where the sandbox has not loaded it yet."""

EndKind = Literal["time", "memory", "output", "threads", "exit", "signal", "garbled", "cold"]
"""`cold`: nobody's fault. The sandbox has to be warmed, and the same asked again."""


@dataclass(frozen=True)
class Limits:
    """time_s: wall seconds for one exchange, unless the caller gives another; memory_mb: over the fork's baseline."""

    time_s: float = 2.0
    memory_mb: int = 256
    cpu_s: float = 120.0


@dataclass(frozen=True)
class Usage:
    """Since the last report: output, cut in the middle; over the whole session: peak memory over the baseline."""

    stdout: str = ""
    stderr: str = ""
    peak_kb: int = 0


class SessionEnded(Exception):
    """The submission's process is gone, and that is the submission's doing. `detail`: exit code or signal number."""

    def __init__(self, kind: EndKind, detail: int = 0, usage: Usage | None = None) -> None:
        self.kind, self.detail, self.usage = kind, detail, usage or Usage()
        super().__init__(f"session ended: {kind} {detail}")


class SandboxFault(Exception):
    """The sandbox itself failed: never the submission's fault. The sandbox has to be opened anew."""


class SandboxUnavailable(Exception):
    """This driver cannot run here; `advice` says what to do instead."""

    def __init__(self, reason: str, advice: str) -> None:
        self.reason, self.advice = reason, advice
        super().__init__(f"{reason}. {advice}")
