"""Who is woken when. The queue itself is the table of judgings; a wake-up only saves waiting for the next look.

    web ── WAKE ──▶ workers      a judging was queued: one byte, one worker
    web ◀── NEWS ── workers      a judging changed: the web's watcher thread reads `Store.changes`

On SQLite `judge serve` makes pipes and hands their ends on as file descriptors, named in the environment
(JUDGE_WAKE_FD, JUDGE_WAKE_WRITE_FD, ...). On PostgreSQL the transaction that changes something notifies, so that it
does not matter on which machine who waits is. A process that has neither looks every POLL_S seconds.
"""

from __future__ import annotations

import logging
import os
import select
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from typing import Any

from judge.store import LONGEST_LEASE_S, NEWS_CHANNEL, WAKE_CHANNEL, Claim, Store

POLL_S = 0.5
EXPIRE_EVERY_S = 1.0
RECONNECT_S = 1.0
PATIENCE_S = 0.0015
"""Of the second worker; the third waits twice as long. A free worker that is warm is taken before a cold one."""
WAKE = "JUDGE_WAKE"
PLACE = "JUDGE_WORKER_PLACE"
NEWS = "JUDGE_NEWS"

log = logging.getLogger(__name__)


class Bell:
    """A pipe, or an end of it, or nothing: `ring` never blocks or fails, `wait` then just waits."""

    def __init__(self, read_fd: int | None = None, write_fd: int | None = None) -> None:
        self.read_fd, self.write_fd = read_fd, write_fd

    @classmethod
    def make(cls) -> Bell:
        """A new pipe with both ends."""
        read_fd, write_fd = os.pipe()
        os.set_blocking(read_fd, False)  # several processes wait for one byte: all but one find it gone
        os.set_blocking(write_fd, False)
        return cls(read_fd, write_fd)

    @classmethod
    def inherited(cls, name: str, environ: Mapping[str, str] | None = None) -> Bell:
        """The ends that the parent process passed on under `name` (WAKE or NEWS)."""
        environ = os.environ if environ is None else environ
        return cls(_open_fd(environ.get(f"{name}_FD")), _open_fd(environ.get(f"{name}_WRITE_FD")))

    def environment(self, name: str) -> dict[str, str]:
        """What `inherited` reads in a child process that gets the descriptors."""
        ends = {f"{name}_FD": self.read_fd, f"{name}_WRITE_FD": self.write_fd}
        return {key: str(fd) for key, fd in ends.items() if fd is not None}

    def ring(self) -> None:
        """Wakes one who waits. A full pipe is fine: enough wake-ups are under way."""
        if self.write_fd is not None:
            try:
                os.write(self.write_fd, b"!")
            except OSError:
                return

    def wait(self, timeout_s: float, other_fd: int | None = None, patience_s: float = 0.0) -> bool:
        """Waits for a byte and takes it; False after `timeout_s` or when `other_fd` woke.

        With `patience_s` a process leaves a byte to the others for that long before it takes it.
        """
        end = time.monotonic() + timeout_s
        while (left := end - time.monotonic()) > 0:
            fds = [fd for fd in (self.read_fd, other_fd) if fd is not None]
            if not fds:
                time.sleep(left)
                return False
            poll = select.poll()  # select.select refuses the 1024th descriptor of a busy web server
            for fd in fds:
                poll.register(fd, select.POLLIN)
            ready = [fd for fd, _ in poll.poll(left * 1000)]
            if other_fd in ready:
                return False
            if self.read_fd in ready:
                if patience_s:
                    time.sleep(patience_s)
                if self._take(1):
                    return True
        return False

    def drain(self) -> None:
        """Takes all bytes."""
        while self._take(65536):
            pass

    def close(self) -> None:
        """Closes the ends this bell holds."""
        for fd in (self.read_fd, self.write_fd):
            if fd is not None:
                os.close(fd)
        self.read_fd = self.write_fd = None

    def _take(self, size: int) -> bool:
        if self.read_fd is None:
            return False
        try:
            taken = os.read(self.read_fd, size)
        except BlockingIOError:
            return False
        if not taken:  # all writers are gone, and the descriptor would now be ready for ever
            self.read_fd = None
        return bool(taken)


class Notices(Bell):
    """Rung by PostgreSQL. Who waits reads its connection: nobody is woken who has work, as a thread would be."""

    def __init__(self, store: Store, channel: str) -> None:
        super().__init__()
        self.store, self.channel = store, channel
        self._listening = ExitStack()
        self._connection: Any = None
        self._next_try = 0.0

    def wait(self, timeout_s: float, other_fd: int | None = None, patience_s: float = 0.0) -> bool:
        """As a bell. True at once after a new connection: what was changed before it listened brought no notice."""
        if self._connection is None and time.monotonic() >= self._next_try:
            self._next_try = time.monotonic() + RECONNECT_S
            try:
                self._connection = self._listening.enter_context(self.store.notices(self.channel))
                self.read_fd = self._connection.fileno()
                return True
            except Exception as error:
                log.warning("no notices on %s: %s", self.channel, error)
        return super().wait(timeout_s, other_fd, patience_s)

    def close(self) -> None:
        self.read_fd = self._connection = None
        with suppress(Exception):
            self._listening.close()

    def _take(self, size: int) -> bool:
        if self._connection is None:
            return False
        found = 0
        try:
            self._connection.pgconn.consume_input()
            while self._connection.pgconn.notifies():
                found += 1
        except Exception as error:
            log.warning("no notices on %s any more: %s", self.channel, error)
            self.close()
        return found > 0


def bell(store: Store, name: str) -> Bell:
    """The bell of this process for WAKE or NEWS: the pipe it was given, or PostgreSQL's notices."""
    return Bell.inherited(name) if store.sqlite else Notices(store, {WAKE: WAKE_CHANNEL, NEWS: NEWS_CHANNEL}[name])


class WorkQueue:
    """One worker's way to its claims."""

    def __init__(
        self, store: Store, worker: str, lease_s: float, wake: Bell, poll_s: float = POLL_S, place: int = 0
    ) -> None:
        self.store, self.worker, self.lease_s, self.wake, self.poll_s = store, worker, lease_s, wake, poll_s
        self.patience_s = place * PATIENCE_S
        self.stopped = False
        self._stop = Bell.make()
        self._next_expire = 0.0

    def take(self) -> Claim | None:
        """Waits for a claim; None once `stop` was called."""
        while not self.stopped:
            if time.monotonic() >= self._next_expire:
                self.store.expire(max(LONGEST_LEASE_S, 4 * self.lease_s))
                self._next_expire = time.monotonic() + EXPIRE_EVERY_S
            claim = self.store.claim(self.worker, self.lease_s)
            if claim:
                return claim
            if not self.wake.wait(self.poll_s, self._stop.read_fd, self.patience_s):
                continue
            claim = self.store.claim(self.worker, self.lease_s)
            if claim:
                return claim
            # woken for what others took meanwhile: the loop looks once more, since a judging may have come with these
            self.wake.drain()
        return None

    def stop(self) -> None:
        """No more claims. May be called by a signal handler or another thread, and wakes a waiting `take`."""
        self.stopped = True
        self._stop.ring()


def _open_fd(text: str | None) -> int | None:
    """The number of an open descriptor, else None."""
    try:
        fd = int(text or "")
        os.fstat(fd)
    except (ValueError, OSError):
        return None
    return fd
