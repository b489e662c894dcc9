"""The workers that are there: seen lately, what sandbox they use, and whether they were asked to finish.

A worker's row lives as long as it: said hello, seen again by each heartbeat, gone with its goodbye or when it was not
seen for GONE_S.
"""

from __future__ import annotations

import time

from sqlalchemy import delete, insert, select, update

from judge.store.engine import Database
from judge.store.tables import tick, worker
from judge.store.values import WorkerState

GONE_S = 120.0
STARTS = 2
"""Of `tick`."""


class WorkerRecords(Database):
    """Part of `Store`."""

    def hello(self, name: str, sandbox: str) -> None:
        """A worker is ready. Rows of workers that were not seen for long go."""
        with self.write(durable=False) as connection:
            at = self.now()
            connection.execute(delete(worker).where((worker.c.name == name) | (worker.c.seen_at < at - GONE_S)))
            row = {"name": name, "sandbox": sandbox, "started_at": time.time(), "seen_at": at, "draining": False}
            connection.execute(insert(worker).values(**row))
            connection.execute(update(tick).where(tick.c.id == STARTS).values(value=tick.c.value + 1))

    def worker_starts(self) -> int:
        """How many workers ever became ready: more than there are means restarts."""
        with self.read() as connection:
            return connection.scalar(select(tick.c.value).where(tick.c.id == STARTS)) or 0

    def seen(self, name: str) -> bool:
        """A heartbeat; True: the worker was asked to finish what it does and to stop."""
        with self.write(durable=False) as connection:
            beat = update(worker).where(worker.c.name == name).values(seen_at=self.now())
            return bool(connection.execute(beat.returning(worker.c.draining)).scalar_one_or_none())

    def goodbye(self, name: str) -> None:
        """The worker stops."""
        with self.write(durable=False) as connection:
            connection.execute(delete(worker).where(worker.c.name == name))

    def workers(self) -> list[WorkerState]:
        """Those seen lately, by name."""
        with self.read() as connection:
            lately = worker.c.seen_at > self.now() - GONE_S
            query = select(worker.c.name, worker.c.sandbox, worker.c.started_at, worker.c.seen_at, worker.c.draining)
            return [WorkerState(*row) for row in connection.execute(query.where(lately).order_by(worker.c.name))]

    def drain(self, name: str) -> bool:
        """Asks a worker to stop after what it grades; False where there is none of that name."""
        with self.write() as connection:
            change = update(worker).where(worker.c.name == name).values(draining=True)
            return connection.execute(change).rowcount == 1
