"""Carries control messages and frames of a supervisor and its children over one byte stream: in a container, the init.

    host  <-- packets on stdin and stdout -->  relay  <-- control socket, the children's own sockets -->  supervisor

    packet    session u32, peak_kb u32, size u32 (little-endian), then `size` bytes
              session 0: a control message, see `sandbox.runner`; other: bytes of that child's frames, never looked at
              size 0: the child hung up
              peak_kb: the child's peak memory when the packet left, written here, where the child cannot

The relay never waits for one side only: a child that does not read, or never stops writing, holds up nobody else. What
it keeps is bounded: towards the host by BACKLOG, and towards a child by the host, which sends at most WINDOW bytes
that the relay has not confirmed with {"op": "taken", "session", "bytes"}.
"""

from __future__ import annotations

import array
import contextlib
import json
import os
import selectors
import socket
import struct
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Any

from sandbox.processes import peak_kb

PACKET = struct.Struct("<III")
CHUNK = 1 << 16
BACKLOG = 1 << 20
WINDOW = 4 << 20
CONFIRM = 1 << 20
"""Bytes after which the relay confirms; a small frame needs no confirmation."""
ENVIRONMENT = """LANG OMP_NUM_THREADS MKL_NUM_THREADS PYTHONPATH PYTHONHASHSEED PYTHONDONTWRITEBYTECODE
PYTHONNOUSERSITE""".split()
"""What the supervisor, and so a submission, gets to see of the container's environment."""


@dataclass
class Child:
    """A child's socket, what waits for it, and what it took without a confirmation so far."""

    frames: socket.socket
    pid: int
    waiting: bytearray = field(default_factory=bytearray)
    taken: int = 0


class Relay:
    """Runs until one side is gone."""

    def __init__(self, control: socket.socket, source: int, sink: int) -> None:
        self.control, self.source, self.sink = control, source, sink
        self.children: dict[int, Child] = {}
        self.received = bytearray()
        self.leaving = bytearray()
        self.full = False
        """Whether the children are not read, for the host does not take what there is."""
        self.selector = selectors.DefaultSelector()
        for number in (source, sink):
            os.set_blocking(number, False)
        self.selector.register(source, selectors.EVENT_READ, self._from_host)
        self.selector.register(control, selectors.EVENT_READ, self._from_supervisor)

    def serve(self) -> None:
        """The loop. Returns when host or supervisor hung up."""
        with contextlib.suppress(EOFError, BrokenPipeError, ConnectionError):
            while True:
                for key, events in self.selector.select():
                    if callable(key.data):
                        key.data()
                    elif key.data in self.children:
                        self._with_child(key.data, events)

    def _from_host(self) -> None:
        with contextlib.suppress(BlockingIOError):
            data = os.read(self.source, 1 << 18)
            if not data:
                raise EOFError
            self.received += data
        while len(self.received) >= PACKET.size:
            number, _, size = PACKET.unpack_from(self.received)
            if len(self.received) < PACKET.size + size:
                return
            content = bytes(self.received[PACKET.size : PACKET.size + size])
            del self.received[: PACKET.size + size]
            if number == 0:
                self._tell(content)
            elif number in self.children:
                self.children[number].waiting += content
                self._push(number)

    def _tell(self, message: bytes) -> None:
        request = json.loads(message)
        if request["op"] == "close":
            self._forget(request["session"])
        self.control.send(message)

    def _from_supervisor(self) -> None:
        data, ancillary, _, _ = self.control.recvmsg(1 << 17, socket.CMSG_SPACE(4))
        if not data:
            raise EOFError
        fds = array.array("i")
        for level, kind, content in ancillary:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                fds.frombytes(content[: len(content) - len(content) % fds.itemsize])
        self._send(0, 0, data)
        if fds:
            opened = json.loads(data)
            child = Child(socket.socket(fileno=fds[0]), opened["pid"])
            child.frames.setblocking(False)
            self.children[opened["session"]] = child
            self.selector.register(child.frames, selectors.EVENT_READ, opened["session"])

    def _with_child(self, number: int, events: int) -> None:
        if events & selectors.EVENT_WRITE:
            self._push(number)
        if events & selectors.EVENT_READ and number in self.children and len(self.leaving) < BACKLOG:
            child = self.children[number]
            try:
                data = child.frames.recv(CHUNK)
            except BlockingIOError:
                return
            except OSError:
                data = b""
            self._send(number, peak_kb(child.pid), data)
            if not data:
                self._forget(number)

    def _push(self, number: int) -> None:
        """Gives a child what waits for it, as much as it takes."""
        child = self.children[number]
        try:
            while child.waiting:
                sent = child.frames.send(memoryview(child.waiting)[:CHUNK])
                del child.waiting[:sent]
                child.taken += sent
        except BlockingIOError:
            pass
        except OSError:
            child.waiting.clear()  # it is gone: reading from it tells the host
        if child.taken >= CONFIRM:
            self._send(0, 0, json.dumps({"op": "taken", "session": number, "bytes": child.taken}).encode())
            child.taken = 0
        self._listen(number)

    def _listen(self, number: int) -> None:
        child = self.children[number]
        wanted = selectors.EVENT_READ if len(self.leaving) < BACKLOG else 0
        wanted |= selectors.EVENT_WRITE if child.waiting else 0
        known = child.frames in self.selector.get_map()
        if not wanted and known:
            self.selector.unregister(child.frames)
        elif wanted and not known:
            self.selector.register(child.frames, wanted, number)
        elif wanted and self.selector.get_key(child.frames).events != wanted:
            self.selector.modify(child.frames, wanted, number)

    def _forget(self, number: int) -> None:
        child = self.children.pop(number, None)
        if child is not None:
            if child.frames in self.selector.get_map():
                self.selector.unregister(child.frames)
            child.frames.close()

    def _send(self, number: int, peak: int, data: bytes) -> None:
        self.leaving += PACKET.pack(number, peak, len(data)) + data
        self._drain()

    def _drain(self) -> None:
        """Writes to the host what it takes now; the rest waits for the sink to be writable."""
        try:
            while self.leaving:
                written = os.write(self.sink, memoryview(self.leaving)[: 1 << 18])
                del self.leaving[:written]
        except BlockingIOError:
            pass
        listening = self.sink in self.selector.get_map()
        if self.leaving and not listening:
            self.selector.register(self.sink, selectors.EVENT_WRITE, self._drain)
        elif not self.leaving and listening:
            self.selector.unregister(self.sink)
        full = len(self.leaving) >= BACKLOG
        if full != self.full:
            self.full = full
            for number in self.children:
                self._listen(number)


def main() -> None:
    """Starts the supervisor with this program's arguments and carries for it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    program: list[Any] = [sys.executable, "-P", "-m", "sandbox.runner", f"--control={theirs.fileno()}", *sys.argv[1:]]
    environment = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
    supervisor = subprocess.Popen(
        program, env=environment, pass_fds=(theirs.fileno(),), stdin=subprocess.DEVNULL, stdout=2
    )
    theirs.close()
    try:
        Relay(ours, 0, 1).serve()
    finally:
        supervisor.kill()
        sys.exit(supervisor.wait() or 0)


if __name__ == "__main__":
    main()
