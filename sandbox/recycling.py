"""A warm supervisor behind a relay, and its successor: replaced after RECYCLE sessions and after anything odd (a child
that sent no frames or died of a signal). The successor is started at once and takes over when it is ready. Where the
kernel has no Landlock a supervisor serves one session only, and the next one is kept warm.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from sandbox.limits import Limits
from sandbox.relayed import Relayed
from sandbox.session import FrameSession

RECYCLE = 500


class Recycling(ABC):
    """The supervisor in use and, where one is needed, its successor."""

    name: str

    def __init__(self) -> None:
        self.warmed = self.worn = False
        self.current = self.start()
        self.successor: Relayed | None = None

    @abstractmethod
    def start(self) -> Relayed:
        """A new supervisor. Raises SandboxFault."""

    @property
    def cheap(self) -> bool:
        """Whether a supervisor serves many sessions."""
        return bool(self.current.landlock)

    def wait_ready(self) -> None:
        """Until a session can be opened."""
        self.current.wait_ready()

    def warm(self) -> None:
        """Until everything that is slow to import is imported, here and in the supervisors to come."""
        self.warmed = True
        self.current.warm()
        self._prepare()

    def open(self, limits: Limits) -> FrameSession:
        """A fresh child of the supervisor, or of its successor if that is ready. Raises SandboxFault."""
        self.current.wait_ready()
        self._prepare()
        if self.successor is not None and (self._used_up() or self.successor.is_ready()):
            self._replace(self.successor)
        session = self.current.open(limits)
        self._prepare()
        return session

    def renew(self) -> None:
        """Replaces a supervisor that should be replaced now, and waits for it."""
        self._prepare()
        if self.successor is not None:
            self.successor.wait_ready()
            self._replace(self.successor)

    def _replace(self, successor: Relayed) -> None:
        self.current.close()
        self.current, self.successor, self.worn = successor, None, False

    def _used_up(self) -> bool:
        return not self.current.landlock and self.current.sessions > 0

    def _prepare(self) -> None:
        """Starts the successor where one is needed."""
        self.worn = self.worn or self.current.odd
        worn = self.worn or self.current.sessions >= RECYCLE or not self.current.landlock
        if worn and self.successor is None and self.current.ready:
            self.successor = self.start()

    def close(self) -> None:
        """Ends both."""
        for supervisor in (self.current, self.successor):
            if supervisor is not None:
                supervisor.close()
