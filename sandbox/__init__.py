"""Runs submissions apart from the judge. Imports nothing of ours; `import sandbox` does not import torch.

    wire     frames: values only           child     the process that runs a submission
    runner   the supervisor                warming   what it does once for all children
    limits   what may be used, and ends    jail      what a child does to itself first; seccomp: the allow-list
    findings what is odd about a result    restrict  forbidden functions
    source   from bytes to code            drivers/  how a supervisor is started: local, none

A driver is a module in `drivers/` with `check()` and `open_sandbox()`.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Protocol

from sandbox import drivers
from sandbox.limits import Limits, SandboxFault, SandboxUnavailable, SessionEnded, Usage

__all__ = ["Limits", "Sandbox", "SandboxFault", "SandboxUnavailable", "Session", "SessionEnded", "Usage",
           "driver_names", "open_sandbox", "resolve"]  # fmt: skip

AUTOMATIC = ("docker", "local")
"""What `auto` tries, in this order. Never `none`: no silent step to less isolation."""


class Session(Protocol):
    """One submission's process."""

    limits: Limits

    def exchange(self, data: bytes, seconds: float) -> tuple[bytes, bytearray, float]: ...
    def report(self) -> Usage: ...
    def peak_kb(self) -> int: ...
    def garbled(self) -> SessionEnded: ...
    def close(self) -> None: ...


class Sandbox(Protocol):
    """A place where submissions run; sessions are opened in it one after the other."""

    name: str
    cheap: bool
    """Whether a session costs milliseconds. Where it does not, an exception does not cost a new one."""

    def wait_ready(self) -> None: ...
    def warm(self) -> None: ...
    def open(self, limits: Limits) -> Session: ...
    def close(self) -> None: ...


def driver_names() -> list[str]:
    """The drivers there are."""
    return [module.name for module in pkgutil.iter_modules(drivers.__path__)]


def resolve(name: str) -> str:
    """The driver for a name; `auto` gives the first that can run here. Raises SandboxUnavailable."""
    names = driver_names()
    if name != "auto":
        if name not in names:
            raise SandboxUnavailable(f"there is no sandbox named {name!r}", f"Choose one of: auto, {', '.join(names)}")
        importlib.import_module(f"sandbox.drivers.{name}").check()
        return name
    reasons = []
    for candidate in AUTOMATIC:
        if candidate in names:
            try:
                importlib.import_module(f"sandbox.drivers.{candidate}").check()
                return candidate
            except SandboxUnavailable as error:
                reasons.append(f"{candidate}: {error.reason}")
    raise SandboxUnavailable(
        "no sandbox can run here (" + "; ".join(reasons) + ")", "For code of your own, use --sandbox none"
    )


def open_sandbox(name: str = "auto") -> Sandbox:
    """Starts a sandbox; returns at once, `wait_ready` waits. Raises SandboxUnavailable."""
    driver = importlib.import_module(f"sandbox.drivers.{resolve(name)}")
    sandbox: Sandbox = driver.open_sandbox()
    return sandbox
