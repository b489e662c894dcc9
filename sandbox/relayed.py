"""A supervisor behind a relay, for the host: packets over one stream socket, see `sandbox.relay`.

Where it runs is the matter of who makes the stream: `container` (Docker), `drivers/socket` (a gate).
"""

from __future__ import annotations

import contextlib
import json
import socket
import time
from collections import deque
from typing import Any

from sandbox.limits import Limits, SandboxFault
from sandbox.relay import PACKET, WINDOW
from sandbox.session import ANSWER_S, FrameSession, opening

ODD = ("garbled", "threads", "signal")
START_S = 120.0
CHUNK = 1 << 16
KEPT = 1 << 26
"""Bytes of one child that are kept before anybody asks for them; an honest answer is never longer."""


class Relayed:
    """The host's end. SandboxFault where the supervisor or its stream fails; `place` names it in messages."""

    place = "the sandbox"

    def __init__(self, stream: socket.socket, *, warming: bool) -> None:
        self.stream = stream
        self.warming = warming
        self.ready: dict[str, Any] = {}
        self.warmed = False
        self.sessions = 0
        self.last: FrameSession | None = None
        self.inbox: dict[int, Inbox] = {}
        self.answers: deque[dict[str, Any]] = deque()
        self.packets = bytearray()

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
            raise SandboxFault(f"{self.place} does not come up: {self.last_words()}")
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
        opened, _ = self.ask(opening(limits))
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
            raise SandboxFault(f"{self.place} does not listen: {error or 'time-out'}: {self.last_words()}") from None

    def _answer(self, seconds: float) -> dict[str, Any]:
        deadline = time.monotonic() + seconds
        while not self.answers:
            try:
                self.pump(deadline - time.monotonic())
            except TimeoutError:
                raise SandboxFault(f"{self.place} does not answer: {self.last_words()}") from None
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
            raise SandboxFault(f"the connection to {self.place} broke: {error}") from None
        if not data:
            raise SandboxFault(f"{self.place} ended: {self.last_words()}")
        self.received(data)
        self._sort()

    def received(self, data: bytes) -> None:
        """Adds to `packets` what the stream brought."""
        self.packets += data

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
        """What is known of why it failed."""
        return "nothing more is known"

    def close(self) -> None:
        """Hangs up: the relay ends, and with it the supervisor and all its children."""
        with contextlib.suppress(OSError):
            self.stream.shutdown(socket.SHUT_RDWR)
        self.stream.close()


class Inbox:
    """What one child sent, and how much of what it was sent is not confirmed."""

    def __init__(self, supervisor: Relayed, number: int) -> None:
        self.supervisor, self.number = supervisor, number
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
            self.supervisor.pump(deadline - time.monotonic())
        part = data[:CHUNK]
        self.supervisor.send(self.number, part)
        self.unconfirmed += len(part)
        return len(part)

    def receive(self, seconds: float) -> bytes:
        deadline = time.monotonic() + seconds
        while not self.bytes:
            if self.hung_up:
                return b""
            self.supervisor.pump(deadline - time.monotonic())
        content, self.bytes = bytes(self.bytes), bytearray()
        return content

    def peak_kb(self) -> int:
        return self.peak

    def close(self) -> None:
        self.supervisor.inbox.pop(self.number, None)
