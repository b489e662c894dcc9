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
import time
from collections import deque
from pathlib import Path
from typing import Any

from sandbox import profile
from sandbox.limits import Limits, SandboxFault
from sandbox.processes import birth
from sandbox.relay import PACKET, WINDOW
from sandbox.session import ANSWER_S, FrameSession

LABEL = "attention-judge.sandbox"
USER = "10001:10001"
PIDS = 256
SUPERVISOR_MB = 768
"""Relay, supervisor with everything imported, and its spare child."""
DEFAULT_MEMORY_MB = 512
CPUS = 2.0
ODD = ("garbled", "threads", "signal")
START_S = 120.0
CHUNK = 1 << 16
KEPT = 1 << 26
"""Bytes of one child that are kept before anybody asks for them; an honest answer is never longer."""
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


class Container:
    """A supervisor in a container. SandboxFault where it or Docker fails."""

    def __init__(
        self, client: Any, image: str, runtime: str | None, arguments: tuple[str, ...], *, warming: bool
    ) -> None:
        self.warming = warming
        self.memory_mb = memory_for(DEFAULT_MEMORY_MB)
        self.ready: dict[str, Any] = {}
        self.warmed = False
        self.sessions = 0
        self.last: FrameSession | None = None
        self.inbox: dict[int, Inbox] = {}
        self.answers: deque[dict[str, Any]] = deque()
        self.raw, self.packets, self.said = bytearray(), bytearray(), b""
        with _docker_faults():
            settings = flags(self.memory_mb, runtime)
            self.container = client.containers.create(image, list(arguments), **settings)
            asked = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
            self.attached = client.api.attach_socket(self.container.id, params=asked)
            self.stream: socket.socket = getattr(self.attached, "_sock", self.attached)
            self.container.start()

    def wait_ready(self) -> None:
        """Until torch is imported in the container, and what is slow too if that was asked for."""
        while not self.is_ready(START_S):
            pass

    def is_ready(self, seconds: float = 0.001) -> bool:
        """Whether it is by now; waits at most so long for each step."""
        if self.ready and self.warmed >= self.warming:
            return True
        with contextlib.suppress(TimeoutError):
            self.pump(seconds)
        if self.answers:
            if self.ready:
                self.warmed = self.answers.popleft()["op"] == "warm"
            else:
                self.ready = self.answers.popleft()
                if self.warming:
                    self.tell({"op": "warm"})
        elif seconds >= START_S:
            raise SandboxFault(f"the container does not come up: {self.last_words()}")
        return bool(self.ready) and self.warmed >= self.warming

    @property
    def landlock(self) -> int:
        """The Landlock version that its kernel has, 0 where it has none."""
        return int(self.ready.get("landlock", 0))

    @property
    def odd(self) -> bool:
        """Whether the last session ended as honest code hardly does."""
        return self.last is not None and self.last.ended is not None and self.last.ended.kind in ODD

    def warm(self) -> None:
        """Until everything that is slow to import is imported too."""
        if not self.warming:
            self.warming = True
            if self.ready:
                self.tell({"op": "warm"})
        self.wait_ready()

    def open(self, limits: Limits) -> FrameSession:
        """A fresh child."""
        self.wait_ready()
        if memory_for(limits.memory_mb) > self.memory_mb:
            self.memory_mb = memory_for(limits.memory_mb)
            with _docker_faults():
                self.container.update(mem_limit=f"{self.memory_mb}m", memswap_limit=f"{self.memory_mb}m")
        opened, _ = self.ask({"op": "open", "memory_mb": limits.memory_mb, "cpu_s": limits.cpu_s})
        self.sessions += 1
        self.last = FrameSession(self, opened, self.inbox[opened["session"]], limits)
        return self.last

    def tell(self, request: dict[str, Any]) -> None:
        self.send(0, json.dumps(request).encode())

    def ask(self, request: dict[str, Any]) -> tuple[dict[str, Any], list[int]]:
        self.tell(request)
        return self._answer(ANSWER_S), []

    def send(self, number: int, content: bytes | memoryview) -> None:
        """One packet, whole: a part of one would leave the stream without sense."""
        try:
            self.stream.settimeout(ANSWER_S)
            self.stream.sendall(PACKET.pack(number, 0, len(content)) + bytes(content))
        except OSError as error:
            raise SandboxFault(f"the container does not listen: {error or 'time-out'}: {self.last_words()}") from None

    def _answer(self, seconds: float) -> dict[str, Any]:
        deadline = time.monotonic() + seconds
        while not self.answers:
            try:
                self.pump(deadline - time.monotonic())
            except TimeoutError:
                raise SandboxFault(f"the container does not answer: {self.last_words()}") from None
        return self.answers.popleft()

    def pump(self, seconds: float) -> None:
        """Reads what is there, waiting at most so long for the first byte. TimeoutError, SandboxFault."""
        if seconds <= 0:
            raise TimeoutError
        self.stream.settimeout(seconds)
        try:
            data = self.stream.recv(1 << 18)
        except TimeoutError:
            raise
        except OSError as error:
            raise SandboxFault(f"the connection to the container broke: {error}") from None
        if not data:
            raise SandboxFault(f"the container ended: {self.last_words()}")
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
        self._sort()

    def _sort(self) -> None:
        """Takes whole packets apart: answers, and bytes of the session that is open. Others are dropped."""
        while len(self.packets) >= PACKET.size:
            number, peak, size = PACKET.unpack_from(self.packets)
            if len(self.packets) < PACKET.size + size:
                return
            content = self.packets[PACKET.size : PACKET.size + size]
            del self.packets[: PACKET.size + size]
            if number == 0:
                self._take(json.loads(content))
            elif number in self.inbox:
                self.inbox[number].add(content, peak)

    def _take(self, message: dict[str, Any]) -> None:
        if message["op"] == "taken":
            if message["session"] in self.inbox:
                self.inbox[message["session"]].unconfirmed -= message["bytes"]
            return
        if message["op"] == "opened":  # the child's first byte may follow in the same read
            self.inbox = {message["session"]: Inbox(self, message["session"])}
        self.answers.append(message)

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


class Inbox:
    """What one child sent, and how much of what it was sent is not confirmed."""

    def __init__(self, container: Container, number: int) -> None:
        self.container, self.number = container, number
        self.bytes = bytearray()
        self.hung_up = False
        self.unconfirmed = 0
        self.peak = 0

    def add(self, content: bytes | bytearray, peak: int) -> None:
        self.peak = max(self.peak, peak)
        self.hung_up = self.hung_up or not content
        if len(self.bytes) < KEPT:
            self.bytes += content

    def send(self, data: memoryview, seconds: float) -> int:
        deadline = time.monotonic() + seconds
        while self.unconfirmed >= WINDOW:
            if self.hung_up:
                raise BrokenPipeError
            self.container.pump(deadline - time.monotonic())
        part = data[:CHUNK]
        self.container.send(self.number, part)
        self.unconfirmed += len(part)
        return len(part)

    def receive(self, seconds: float) -> bytes:
        deadline = time.monotonic() + seconds
        while not self.bytes:
            if self.hung_up:
                return b""
            self.container.pump(deadline - time.monotonic())
        content, self.bytes = bytes(self.bytes), bytearray()
        return content

    def peak_kb(self) -> int:
        return self.peak

    def close(self) -> None:
        self.container.inbox.pop(self.number, None)


@contextlib.contextmanager
def _docker_faults() -> Any:
    """Whatever docker-py or its transport raises is a fault of the sandbox."""
    import docker
    import requests

    try:
        yield
    except (docker.errors.DockerException, requests.RequestException, OSError) as error:
        raise SandboxFault(f"Docker failed: {error}") from error
