"""A supervisor from a gate (`sandbox.gate`), over its Unix socket: for workers that may start no containers themselves.

The option is the socket's path: `unix:/run/judge/sandbox.sock`. Supervisors are recycled as `sandbox.recycling` says.
"""

from __future__ import annotations

import socket
from pathlib import Path

from sandbox.limits import SandboxFault, SandboxUnavailable
from sandbox.recycling import Recycling
from sandbox.relayed import Relayed

NAME = "unix"
TAKES_OPTION = True
CONNECT_S = 10.0


class Supervisor(Relayed):
    """One connection to a gate."""

    place = "the sandbox behind the gate"

    def __init__(self, path: Path, *, warming: bool) -> None:
        try:
            super().__init__(connect(path), warming=warming)
        except OSError as error:
            raise SandboxFault(f"the gate at {path} does not answer: {error}") from error


class UnixSandbox(Recycling):
    """Supervisors of one gate."""

    name = NAME

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__()

    def start(self) -> Supervisor:
        return Supervisor(self.path, warming=self.warmed)


def connect(path: Path) -> socket.socket:
    """Raises OSError."""
    stream = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    stream.settimeout(CONNECT_S)
    try:
        stream.connect(str(path))
    except BaseException:
        stream.close()
        raise
    return stream


def check(option: str = "") -> None:
    """Raises SandboxUnavailable where no gate listens."""
    if not option:
        raise SandboxUnavailable(
            "the sandbox unix needs the path of a gate's socket", "Use --sandbox unix:/path/to/socket"
        )
    try:
        connect(Path(option)).close()
    except OSError as error:
        reason = f"no gate answers at {option} ({error.strerror or error})"
        raise SandboxUnavailable(
            reason, "Start it: python -m sandbox.gate SOCKET, in a container without network"
        ) from None


def open_sandbox(option: str = "") -> UnixSandbox:
    """Starts a supervisor, where `check` found a gate; torch is imported in it while the caller goes on."""
    try:
        return UnixSandbox(Path(option))
    except SandboxFault as error:
        raise SandboxUnavailable(str(error), "See the gate's own messages") from None
