"""Which core a grading process works on.

It and its submission's process take turns all the time. On one core they find the caches warm, and neither has to wake
another core for each frame, which costs a virtual machine most of all.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

SIBLINGS = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"


def keep_to(place: int, first: int) -> None:
    """Keeps this thread, and those it starts, to one core: the `place`-th, counted from `first` round the cores.

    With more places than cores the others go where there is room.
    """
    if sys.platform != "linux":
        return
    cores = of_this_process()
    if place < len(cores):
        os.sched_setaffinity(0, cores[(first + place) % len(cores)])


def of_this_process() -> list[set[int]]:
    """Its cores, each as the CPUs that share it and that the process may use."""
    allowed = os.sched_getaffinity(0)
    found = {frozenset(_together(cpu) & allowed) for cpu in allowed}
    return sorted((set(core) for core in found), key=min)


def _together(cpu: int) -> set[int]:
    """The hardware threads of a CPU's core, from a list such as "0,8" or "0-1"."""
    try:
        parts = [part.split("-") for part in Path(SIBLINGS.format(cpu)).read_text(encoding="ascii").strip().split(",")]
        return {number for part in parts for number in range(int(part[0]), int(part[-1]) + 1)} | {cpu}
    except (OSError, ValueError):
        return {cpu}
