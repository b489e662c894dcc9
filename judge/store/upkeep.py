"""What an operator does with the records: judge again, throw old details away, keep a copy."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, Select, and_, delete, func, or_, select, update

from judge.store.engine import Database
from judge.store.learners import SUBMISSION_COLUMNS
from judge.store.tables import case_result, draft_version, judging, submission
from judge.store.values import StoreError, Submission

DETAILS = {"smallest": None, "internal": ""}
"""Of a judging, besides its cases: what nobody reads after a year."""


@dataclass(frozen=True)
class Pruned:
    """How many runs (of samples and own inputs), judgings that lose their details, and old texts of drafts."""

    runs: int
    details: int
    texts: int


class UpkeepRecords(Database):
    """Part of `Store`."""

    def judged(self, *, problem: str | None = None, submission_id: int | None = None) -> Iterator[Submission]:
        """Whole submissions of a problem, or one of any kind, that have a verdict; oldest first."""
        done = select(judging.c.id).where(judging.c.submission_id == submission.c.id, judging.c.status == "done")
        query = select(*SUBMISSION_COLUMNS).where(done.exists()).order_by(submission.c.id)
        if submission_id is not None:
            query = query.where(submission.c.id == submission_id)
        else:
            whole = ~submission.c.samples_only & submission.c.input.is_(None)
            query = query.where(submission.c.problem == problem, whole)
        with self.read() as connection:
            rows = connection.execute(query).all()
        return (Submission(*row) for row in rows)

    def prune(self, before: float, *, really: bool) -> Pruned:
        """Runs, details and texts from before that moment go; submissions, sources and verdicts stay.

        Not `really`: only counted.
        """
        with self.write() if really else self.read() as connection:
            runs = select(submission.c.id).where(
                submission.c.created_at < before,
                or_(submission.c.samples_only, submission.c.input.is_not(None)),
                ~_unfinished().exists(),
            )
            old = and_(judging.c.finished_at < before, judging.c.status == "done")
            detailed = select(judging.c.id).where(
                old, select(case_result.c.judging_id).where(case_result.c.judging_id == judging.c.id).exists()
            )
            texts = select(draft_version.c.id).where(draft_version.c.saved_at < before)
            counted = Pruned(*(_count(connection, rows) for rows in (runs, detailed, texts)))
            if really:
                of_runs = judging.c.submission_id.in_(runs)
                cases = case_result.c.judging_id.in_(select(judging.c.id).where(or_(old, of_runs)))
                connection.execute(delete(case_result).where(cases))
                connection.execute(update(judging).where(old).values(DETAILS))
                numbers = connection.scalars(runs).all()
                for start in range(0, len(numbers), 500):
                    part = numbers[start : start + 500]
                    connection.execute(delete(judging).where(judging.c.submission_id.in_(part)))
                    connection.execute(delete(submission).where(submission.c.id.in_(part)))
                connection.execute(delete(draft_version).where(draft_version.c.saved_at < before))
            return counted

    def backup(self, target: Path) -> None:
        """Copies a SQLite database as it is at one moment, also while it is used. Raises StoreError."""
        beside = target.with_name(f"{target.name}.part")
        with self.read() as connection:
            source = connection.connection.driver_connection
            assert isinstance(source, sqlite3.Connection)
            try:
                os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
                copy = sqlite3.connect(beside)
                with copy:
                    source.backup(copy)
                copy.close()
                beside.replace(target)
            except (OSError, sqlite3.Error) as error:
                beside.unlink(missing_ok=True)
                raise StoreError(f"{target} cannot be written: {error}") from None


def _unfinished() -> Select[tuple[int]]:
    waits = judging.c.status.in_(("queued", "running"))
    return select(judging.c.id).where(judging.c.submission_id == submission.c.id, waits)


def _count(connection: Connection, rows: Select[tuple[int]]) -> int:
    return connection.execute(select(func.count()).select_from(rows.subquery())).scalar_one()
