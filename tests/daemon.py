"""The Docker daemon behind a socket of ours, which can be cut: for a client that is a daemon that stops and starts."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from pathlib import Path

REAL = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock").removeprefix("unix://")


class Daemon:
    """`start` listens at `path` and carries to the real daemon; `stop` drops every connection."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.listener: socket.socket | None = None
        self.open: list[socket.socket] = []

    @property
    def host(self) -> str:
        return f"unix://{self.path}"

    def start(self) -> None:
        self.path.unlink(missing_ok=True)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.path))
        self.listener.listen()
        threading.Thread(target=self._accept, args=(self.listener,), daemon=True).start()

    def stop(self) -> None:
        self.path.unlink(missing_ok=True)
        for part in [*([self.listener] if self.listener else []), *self.open]:
            with contextlib.suppress(OSError):
                part.shutdown(socket.SHUT_RDWR)
            part.close()
        self.open = []

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = listener.accept()
                far = socket.socket(socket.AF_UNIX)
                far.connect(REAL)
                self.open += [near, far]
                for pair in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=pair, daemon=True).start()

    @staticmethod
    def _carry(source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
