"""What is kept of a stream: its head and its tail, without the names of this host's folders."""

from __future__ import annotations

import sysconfig
from pathlib import Path

from sandbox.limits import KEPT_OUTPUT


def host_prefixes() -> tuple[str, ...]:
    """Folders whose names say something of this host, longest first: ours, and where the packages lie."""
    ours = str(Path(__file__).parent.parent)
    return tuple(sorted({f"{ours}/", *(f"{sysconfig.get_path(key)}/" for key in ("purelib", "stdlib"))}, key=len))[::-1]


class Kept:
    """The head and the tail of a stream."""

    prefixes = host_prefixes()

    def __init__(self) -> None:
        self.head, self.tail, self.dropped = b"", b"", False

    def add(self, data: bytes) -> None:
        room = KEPT_OUTPUT * 3 // 4 - len(self.head)
        self.head += data[:room]
        rest = self.tail + data[max(room, 0) :]
        self.tail = rest[-KEPT_OUTPUT // 4 :]
        self.dropped = self.dropped or len(rest) > len(self.tail)

    def take(self) -> str:
        """The text since the last call."""
        middle = b"\n...\n" if self.dropped else b""
        text = (self.head + middle + self.tail).decode("utf-8", "backslashreplace")
        self.head, self.tail, self.dropped = b"", b"", False
        for prefix in self.prefixes:
            text = text.replace(prefix, "")
        return text
