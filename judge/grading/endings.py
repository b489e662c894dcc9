"""How the end of a submission's process reads to the learner."""

from __future__ import annotations

import signal as signals

from judge.model import Finding, Verdict
from sandbox import Limits, SessionEnded
from sandbox.limits import LOAD_LIMIT_S, MAX_THREADS, OUTPUT_LIMIT


def of_end(error: SessionEnded, limits: Limits, *, loading: bool = False) -> tuple[Verdict, Finding]:
    """Verdict and finding. Nothing measured is in it: the same submission gets the same words."""
    if error.kind == "time":
        limit = LOAD_LIMIT_S if loading else limits.time_s
        return "TLE", {"code": "time_load" if loading else "time", "seconds": limit, "limit": limit}
    if error.kind == "memory":
        return "MLE", {"code": "memory", "limit": limits.memory_mb}
    if error.kind == "output":
        return "OLE", {"code": "output", "limit": OUTPUT_LIMIT >> 20}
    if error.kind == "threads":
        return "RTE", {"code": "threads", "limit": MAX_THREADS}
    if error.kind == "signal":
        if error.detail == signals.SIGXCPU:
            return "TLE", {"code": "time", "seconds": round(limits.cpu_s, 2), "limit": limits.time_s}
        try:
            name = signals.Signals(error.detail).name
        except ValueError:
            name = str(error.detail)
        return "RTE", {"code": "signal", "signal": name}
    if error.kind == "garbled":
        return "RTE", {"code": "garbled"}
    return "RTE", {"code": "exit", "status": error.detail}
