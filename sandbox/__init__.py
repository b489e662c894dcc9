"""Runs submissions apart from the judge. Imports nothing of ours; `import sandbox` does not import torch.

    wire     frames: values only           child     the process that runs a submission
    runner   the supervisor                warming   what it does once for all children
    limits   what may be used, and ends    jail      what a child does to itself first; seccomp: the allow-list
    processes what /proc tells of one
    session  one child, for the host       relayed, recycling   a supervisor elsewhere, and its replacement
    container one container; relay, image, profile: what it needs      gate   supervisors for who connects
    findings what is odd about a result    restrict  forbidden functions
    source   from bytes to code            drivers/  how a supervisor is started

A driver is a module in `drivers/` with `check(option)`, `open_sandbox(option)` and TAKES_OPTION: whether something may
follow its name and a colon.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any, Protocol

from sandbox import drivers
from sandbox.limits import Limits, SandboxFault, SandboxUnavailable, SessionEnded, Usage

__all__ = ["Limits", "Sandbox", "SandboxFault", "SandboxUnavailable", "Session", "SessionEnded", "Usage",
           "driver_names", "open_sandbox", "pinned", "resolve"]  # fmt: skip

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
    if name != "auto":
        driver, option = _parts(name)
        driver.check(option)
        return name
    reasons = []
    for candidate in AUTOMATIC:
        try:
            return resolve(candidate)
        except SandboxUnavailable as error:
            reasons.append(f"{candidate}: {error.reason}")
    raise SandboxUnavailable(
        "no sandbox can run here (" + "; ".join(reasons) + ")", "For code of your own, use --sandbox none"
    )


def pinned(name: str) -> str:
    """`auto` as the driver it is now: who opens a sandbox again must not go over to less isolation."""
    return resolve(name) if name == "auto" else name


def _parts(name: str) -> tuple[Any, str]:
    """The driver's module, and what follows the colon: `docker:runsc`."""
    driver, _, option = name.partition(":")
    if driver not in driver_names():
        raise SandboxUnavailable(
            f"there is no sandbox named {driver!r}", f"Choose one of: auto, {', '.join(driver_names())}"
        )
    module = importlib.import_module(f"sandbox.drivers.{driver}")
    if option and not module.TAKES_OPTION:
        raise SandboxUnavailable(f"the sandbox {driver} takes no {option!r}", f"Use --sandbox {driver}")
    return module, option


def open_sandbox(name: str = "auto") -> Sandbox:
    """Starts a sandbox; returns at once, `wait_ready` waits. Raises SandboxUnavailable."""
    driver, option = _parts(resolve(name))
    sandbox: Sandbox = driver.open_sandbox(option)
    return sandbox
