"""One hardened container with a relay and a supervisor in it, and the byte stream to them.

create (flags) ─▶ attach ─▶ start ─▶ packets, see `sandbox.relay`        the stream closed ─▶ the container ends

no network · read-only root · 1 MiB of /tmp · all capabilities dropped · no new privileges · own seccomp profile ·
unprivileged user · no mounts, no IPC, no /dev/shm · bounded processes, CPU, memory without swap · no log
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import struct
from pathlib import Path
from typing import Any

from sandbox import profile
from sandbox.limits import Limits, SandboxFault
from sandbox.processes import birth
from sandbox.relayed import Relayed
from sandbox.session import FrameSession

LABEL = "attention-judge.sandbox"
USER = "10001:10001"
PIDS = 256
SUPERVISOR_MB = 768
"""Relay, supervisor with everything imported, and its spare child."""
DEFAULT_MEMORY_MB = 512
CPUS = 2.0
_STREAM = struct.Struct(">BxxxI")
"""Docker's own frame: 1 stdout, 2 stderr, and the size."""
_STDERR = 2


def memory_for(limit_mb: int) -> int:
    """MB that a container needs for a submission with this limit."""
    return SUPERVISOR_MB + limit_mb * 5 // 4


def owner() -> str:
    """Who made a container: boot, process and the process's start, so that nobody else's number is taken for it."""
    boot = Path("/proc/sys/kernel/random/boot_id")
    return f"{boot.read_text().strip() if boot.exists() else socket.gethostname()}/{os.getpid()}/{birth(os.getpid())}"


def is_stale(made_by: str) -> bool:
    """Whether the process that made a container is gone. Containers of other hosts are never stale."""
    boot, pid, born = [*made_by.split("/"), "", ""][:3]
    return boot == owner().split("/")[0] and pid.isdecimal() and birth(int(pid)) != born


def flags(memory_mb: int, runtime: str | None) -> dict[str, Any]:
    """How the container is run; arguments of docker-py's `create`."""
    return {
        "user": USER,
        "network_mode": "none",
        "ipc_mode": "none",
        "read_only": True,
        "tmpfs": {"/tmp": "size=1m,mode=1777,nosuid,nodev,noexec"},
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges:true", f"seccomp={json.dumps(profile.profile())}"],
        "pids_limit": PIDS,
        "mem_limit": f"{memory_mb}m",
        "memswap_limit": f"{memory_mb}m",
        "nano_cpus": int(min(CPUS, os.cpu_count() or 1) * 1e9),
        "hostname": "sandbox",
        "log_config": {"Type": "none"},
        "labels": {LABEL: owner()},
        "stdin_open": True,
        "auto_remove": True,
        **({"runtime": runtime} if runtime else {}),
    }


class Container(Relayed):
    """A supervisor in a container. SandboxFault where it or Docker fails."""

    place = "the container"

    def __init__(
        self, client: Any, image: str, runtime: str | None, arguments: tuple[str, ...], *, warming: bool
    ) -> None:
        self.memory_mb = memory_for(DEFAULT_MEMORY_MB)
        self.raw, self.said = bytearray(), b""
        with _docker_faults():
            settings = flags(self.memory_mb, runtime)
            self.container = client.containers.create(image, list(arguments), **settings)
            asked = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
            self.attached = client.api.attach_socket(self.container.id, params=asked)
            super().__init__(getattr(self.attached, "_sock", self.attached), warming=warming)
            self.container.start()

    def open(self, limits: Limits) -> FrameSession:
        """A fresh child, with as much memory for the container as it needs."""
        self.wait_ready()
        if memory_for(limits.memory_mb) > self.memory_mb:
            self.memory_mb = memory_for(limits.memory_mb)
            with _docker_faults():
                self.container.update(mem_limit=f"{self.memory_mb}m", memswap_limit=f"{self.memory_mb}m")
        return super().open(limits)

    def received(self, data: bytes) -> None:
        """Takes Docker's frames apart: stdout is the packets."""
        self.raw += data
        while len(self.raw) >= _STREAM.size:
            kind, size = _STREAM.unpack_from(self.raw)
            if len(self.raw) < _STREAM.size + size:
                break
            content = self.raw[_STREAM.size : _STREAM.size + size]
            del self.raw[: _STREAM.size + size]
            if kind == _STDERR:
                self.said = (self.said + content)[-4096:]
            else:
                self.packets += content

    def last_words(self) -> str:
        """The last line on the supervisor's stderr."""
        lines = self.said.decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing"

    def close(self) -> None:
        """Ends the container and everything in it; removing it is Docker's."""
        with contextlib.suppress(OSError):
            self.stream.shutdown(socket.SHUT_RDWR)
        with contextlib.suppress(OSError):
            self.attached.close()
        with contextlib.suppress(Exception):
            self.container.kill()


@contextlib.contextmanager
def _docker_faults() -> Any:
    """Whatever docker-py or its transport raises is a fault of the sandbox."""
    import docker
    import requests

    try:
        yield
    except (docker.errors.DockerException, requests.RequestException, OSError) as error:
        raise SandboxFault(f"Docker failed: {error}") from error
