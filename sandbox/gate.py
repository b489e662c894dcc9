"""Supervisors for workers elsewhere on the machine: who connects to a Unix socket gets one of their own.

    worker ── Unix socket in a shared folder ──▶ gate ── the connection as stdin and stdout ──▶ relay ─▶ supervisor

    python -m sandbox.gate SOCKET [--most N]

Made for a container without network, capabilities and secrets (see docker-compose.yml); the gate looks at no byte that
goes through. A supervisor ends when its worker hangs up. Refuses to start without Landlock: the submissions of all
workers run in one container.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

from sandbox.jail import landlock_abi

MOST = 32
"""Supervisors at once; each takes about half a gigabyte."""
REAP_S = 1.0
UNUSABLE = 3


class Gate:
    """Listens on `path` until the process ends."""

    def __init__(self, path: Path, most: int) -> None:
        self.most = most
        self.relays: set[int] = set()
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind(str(path))
        path.chmod(0o660)
        self.listener.listen(most)
        self.listener.settimeout(REAP_S)

    def serve(self) -> None:
        """For ever: takes connections, buries what ended."""
        while True:
            try:
                connection, _ = self.listener.accept()
            except TimeoutError:
                self._bury()
                continue
            with connection:
                self._bury()
                if len(self.relays) < self.most:
                    self._admit(connection)

    def _admit(self, connection: socket.socket) -> None:
        connection.setblocking(True)
        program = [sys.executable, "-P", "-m", "sandbox.relay"]
        ours = connection.fileno()
        relay = subprocess.Popen(program, stdin=ours, stdout=ours, start_new_session=True)
        relay.returncode = 0  # `_bury` waits for it, as for whatever else a container's first process inherits
        self.relays.add(relay.pid)

    def _bury(self) -> None:
        with contextlib.suppress(ChildProcessError):
            while pid := os.waitpid(-1, os.WNOHANG)[0]:
                self.relays.discard(pid)


def main() -> None:
    """The program of the container."""
    parser = argparse.ArgumentParser(description="Gives a sandbox to whoever connects to a Unix socket.")
    parser.add_argument("socket", type=Path, help="where to listen; the folder is shared with the workers")
    parser.add_argument("--most", type=int, default=MOST, help="sandboxes at once (default %(default)s)")
    chosen = parser.parse_args()
    if not landlock_abi():
        print("this kernel has no Landlock: many submissions must not share a container; use the driver docker",
              file=sys.stderr)  # fmt: skip
        sys.exit(UNUSABLE)
    # a container's first process ignores signals that it does not handle: `docker stop` would wait for nothing
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(0))
    Gate(chosen.socket, chosen.most).serve()


if __name__ == "__main__":
    main()
