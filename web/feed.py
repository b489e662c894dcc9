"""One watcher thread per web process tells streams and long polls what changed. The database is the truth.

workers ─ a byte on the news pipe ─▶ watcher ─ Store.changes, Store.submission ─▶ one mailbox per waiting request

A waiting request holds no database connection: it sleeps on its mailbox. The pipe is a hint; without it, or when a byte
is lost, the watcher looks every 500 ms. With nobody waiting it does not look at all.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
import time
from collections import Counter
from collections.abc import Iterator
from typing import Final

from judge.queue import POLL_S, Bell
from judge.store import QueueState, Store, SubmissionView

STATE_FRESH_S: Final = 2.0
NOBODY_S: Final = 10.0
"""Nobody waits: what rings is thrown away that often."""
MAX_WAITING: Final = 256
"""Of 320 threads; the others stay free for short requests. Who comes later is answered at once and asks again."""
MAX_OF_ONE: Final = 32
"""Of one learner: many tabs, and not everybody's place."""

FINAL: Final = ("done", "cancelled")
"""The status will not change by itself any more. A known mistake may still be found."""

log = logging.getLogger(__name__)
Mailbox = queue.SimpleQueue[SubmissionView | None]
"""Views, newest last; None: stop waiting, the process ends."""


class Full(Exception):
    """Too many requests wait already."""


class Feed:
    """Hands out mailboxes. `news`: rung by the workers when a judging changed."""

    def __init__(self, store: Store, news: Bell) -> None:
        self.store = store
        self.closed = False
        self._news = news
        self._lock = threading.Lock()
        self._mailboxes: dict[int, list[Mailbox]] = {}
        self._waiters: Counter[str] = Counter()
        self._stepwise: Counter[int] = Counter()
        """Mailboxes that are told of each change, by submission."""
        self._someone = threading.Event()
        self._thread: threading.Thread | None = None
        self._state = QueueState(0, 0, 0.0, None)
        self._looked = -STATE_FRESH_S

    @contextlib.contextmanager
    def mailbox(self, submission_id: int, learner: str, *, steps: bool = True) -> Iterator[Mailbox]:
        """Views of this submission from now on, for this learner. Read it after entering: then nothing is missed.

        Without `steps` only once it is final. Raises Full.
        """
        box: Mailbox = queue.SimpleQueue()
        with self._lock:
            if self._waiters.total() >= MAX_WAITING or self._waiters[learner] >= MAX_OF_ONE:
                raise Full
            self._waiters[learner] += 1
            self._mailboxes.setdefault(submission_id, []).append(box)
            if steps:
                self._stepwise[submission_id] += 1
            if self.closed:
                box.put(None)
            elif self._thread is None:
                self._thread = threading.Thread(target=self._watch, name="watcher", daemon=True)
                self._thread.start()
            self._someone.set()
        try:
            yield box
        finally:
            with self._lock:
                self._waiters[learner] -= 1
                self._waiters += Counter()  # without those that wait no more
                boxes = self._mailboxes[submission_id]
                boxes.remove(box)
                if steps:
                    self._stepwise[submission_id] -= 1
                    self._stepwise += Counter()
                if not boxes:
                    del self._mailboxes[submission_id]
                if not self._mailboxes:
                    self._someone.clear()

    @property
    def waiting(self) -> int:
        with self._lock:
            return self._waiters.total()

    def state(self) -> QueueState:
        """How full the queue is and how fast it moves, as of at most STATE_FRESH_S ago."""
        if time.monotonic() - self._looked >= STATE_FRESH_S:
            self._state, self._looked = self.store.queue_state(), time.monotonic()
        return self._state

    def close(self) -> None:
        """Ends every wait: streams and long polls answer with what they have."""
        self.closed = True
        for boxes in list(self._mailboxes.values()):
            for box in list(boxes):
                box.put(None)

    def _watch(self) -> None:
        seen: int | None = None
        while not self.closed:
            if not self._someone.is_set():
                while not self._someone.wait(NOBODY_S):
                    self._news.drain()
                seen = None
            try:
                seen = self._tell(seen)
            except Exception:
                # a database that is busy or away for a moment must not end all streams for good
                log.exception("the watcher could not read what changed")
            self._news.wait(POLL_S)
            self._news.drain()

    def _tell(self, seen: int | None) -> int:
        """Posts the submissions that changed after version `seen`; None: all that are waited for."""
        if seen is None:
            newest = self.store.newest_version()
            changed = set(self._mailboxes)
        else:
            changes = self.store.changes(seen)
            newest = max([seen, *(change.version for change in changes)])
            changed = {
                change.submission_id
                for change in changes
                if change.status in FINAL or change.submission_id in self._stepwise
            }
        for submission_id in changed:
            with self._lock:
                boxes = list(self._mailboxes.get(submission_id, ()))
            view = self.store.submission(submission_id) if boxes else None
            if view is not None:
                for box in boxes:
                    box.put(view)
        return newest
