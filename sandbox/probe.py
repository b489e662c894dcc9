"""What this machine offers to keep submissions apart: plain facts for `judge doctor`. Nothing here changes anything."""

from __future__ import annotations

import ctypes
import importlib
import platform
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandbox.limits import SandboxUnavailable

PR_GET_SECCOMP = 21
CONTROLLERS = ("memory", "pids", "cpu")
RUNC_ESCAPES = (
    ("CVE-2019-5736", (1, 0, 0)),
    ("CVE-2024-21626", (1, 1, 12)),
    ("CVE-2025-31133, CVE-2025-52565, CVE-2025-52881", (1, 2, 8)),
)
"""Ways out of a container, and the first release without them; distributions mend older ones too."""


@dataclass(frozen=True)
class DriverFact:
    """Whether a driver can run here; otherwise why not, and what to do."""

    name: str
    usable: bool
    reason: str = ""
    advice: str = ""


def landlock() -> int:
    """Landlock's version, 0 where the kernel has none."""
    if not sys.platform.startswith("linux"):
        return 0
    from sandbox.jail import landlock_abi

    return landlock_abi()


def seccomp() -> bool:
    """Whether the kernel filters system calls."""
    if not sys.platform.startswith("linux"):
        return False
    return int(ctypes.CDLL(None).prctl(PR_GET_SECCOMP, 0, 0, 0, 0)) >= 0


def cgroups() -> tuple[int, tuple[str, ...]]:
    """The cgroup version (0: none) and which of CONTROLLERS it has."""
    unified = Path("/sys/fs/cgroup/cgroup.controllers")
    try:
        if unified.exists():
            found = unified.read_text().split()
            return 2, tuple(name for name in CONTROLLERS if name in found)
        lines = Path("/proc/cgroups").read_text().splitlines()[1:]
    except OSError:
        return 0, ()
    on = {line.split()[0] for line in lines if line.split()[3] == "1"}
    return (1, tuple(name for name in CONTROLLERS if name in on)) if on else (0, ())


def memory_mb() -> tuple[int, int]:
    """Memory of the machine and what is free of it, in MB; 0 where that is unknown."""
    try:
        rows = dict(line.split(":") for line in Path("/proc/meminfo").read_text().splitlines())
    except (OSError, ValueError):
        return 0, 0
    return int(rows["MemTotal"].split()[0]) // 1024, int(rows["MemAvailable"].split()[0]) // 1024


def wsl() -> bool:
    """Whether this Linux runs inside Windows."""
    return "microsoft" in platform.release().lower()


def docker() -> dict[str, Any] | None:
    """Engine, runc, cgroup version, `desktop`; None where no daemon answers."""
    from sandbox.drivers.docker import connect

    try:
        client = connect(seconds=5)
    except SandboxUnavailable:
        return None
    try:
        version, info = client.version(), client.info()
    finally:
        client.close()
    parts = {part.get("Name"): part.get("Version", "") for part in version.get("Components") or ()}
    return {
        "engine": version.get("Version", "?"),
        "runc": parts.get("runc", ""),
        "cgroups": info.get("CgroupVersion", "1"),
        "desktop": info.get("OperatingSystem") == "Docker Desktop",
        "kernel": info.get("KernelVersion", ""),
        "rootless": any("rootless" in option for option in info.get("SecurityOptions", [])),
    }


def known_escapes(runc: str) -> list[str]:
    """Escapes that a runc of this version has as it was released."""
    numbers = re.match(r"(\d+)\.(\d+)\.(\d+)", runc)
    if not numbers:
        return []
    version = tuple(map(int, numbers.groups()))
    return [name for name, mended in RUNC_ESCAPES if version < mended]


def driver_facts() -> list[DriverFact]:
    """A verdict for each jailed driver."""
    facts = []
    for name in ("docker", "local"):
        try:
            importlib.import_module(f"sandbox.drivers.{name}").check()
            facts.append(DriverFact(name, True))
        except SandboxUnavailable as error:
            facts.append(DriverFact(name, False, error.reason, error.advice))
    return facts
