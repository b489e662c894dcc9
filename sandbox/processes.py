"""What /proc tells of a process, and what the machine gives to this one. Read only."""

from __future__ import annotations

import os
from pathlib import Path


def birth(pid: int) -> str | None:
    """When a process started (ticks since boot; "0" where that is unknown); None: it is gone.

    With the number it names a process for good, for numbers are given again.
    """
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except OSError:  # it lives, and is another user's
        pass
    try:
        state, *rest = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return "0"
    return None if state == "Z" else rest[18]  # a killed process stays as a zombie where nobody waits for it


def peak_kb(pid: int) -> int:
    """What a process ever had in memory at once, but for pages of files; 0 where it is gone."""
    seen = status_kb(pid, ("VmHWM:", "RssFile:"))
    return seen.get("VmHWM:", 0) - seen.get("RssFile:", 0)


def status_kb(pid: int, names: tuple[str, ...]) -> dict[str, int]:
    """Fields of /proc/<pid>/status as numbers (kB, or a count); empty where the process is gone."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as status:
            lines = [line.split() for line in status]
    except OSError:
        return {}
    return {line[0]: int(line[1]) for line in lines if line and line[0] in names}


def cores() -> int:
    """Processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
