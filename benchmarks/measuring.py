"""What the benchmarks measure, and with what: an accepted answer to one problem, on one thread, by the clock."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROBLEM = "causal-mha"
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def submission() -> Path:
    """An accepted answer that is not the reference."""
    return sorted((ROOT / "problems" / PROBLEM / "submissions" / "accepted").glob("*.py"))[0]


def timed(function: Callable[[], object]) -> float:
    """Milliseconds that a call takes."""
    start = time.perf_counter()
    function()
    return (time.perf_counter() - start) * 1000


def resident_mb(pid: int) -> float:
    """Proportional memory of a process and all its descendants: shared pages are counted once."""
    pids, todo = [], [pid]
    while todo:
        current = todo.pop()
        pids.append(current)
        for task in Path(f"/proc/{current}/task").glob("*/children"):
            todo += [int(child) for child in task.read_text().split()]
    total = 0
    for current in pids:
        with suppress(OSError):  # a submission's process may end meanwhile
            lines = Path(f"/proc/{current}/smaps_rollup").read_text().splitlines()
            total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return total / 1024


def say(text: str) -> None:
    """How far it is, beside the figures."""
    print(text, file=sys.stderr, flush=True)
