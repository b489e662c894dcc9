"""What learners do: submit, read their own work, cancel. Also how rows become values.

accept = submission + judging(queued), committed before `submit` returns; learners with much in the queue take turns
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from sqlalchemy import Connection, Select, bindparam, exists, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from judge.model import CaseResult, Verdict
from judge.store.engine import Database
from judge.store.tables import case_result, judging, submission, tick
from judge.store.values import Judging, Submission, SubmissionView

WAITING, NOBODY_WAITS = 0, 1
"""Priorities: what a learner waits for goes before rejudges."""
WAKE_CHANNEL, NEWS_CHANNEL = "judge_wake", "judge_news"
"""Of PostgreSQL's notifications: a judging was queued; a judging changed."""
SUBMISSION_COLUMNS = [submission.c[field.name] for field in fields(Submission)]
JUDGING_COLUMNS = [judging.c[field.name] for field in fields(Judging)]
CASE_COLUMNS = [case_result.c[field.name] for field in fields(CaseResult)]

_later = judging.alias("later")
_newest = ~exists().where(_later.c.submission_id == judging.c.submission_id, _later.c.id > judging.c.id)
_views: Select[Any] = (
    select(*SUBMISSION_COLUMNS, *JUDGING_COLUMNS)
    .join_from(submission, judging, judging.c.submission_id == submission.c.id)
    .where(_newest)
)
_view_of = _views.where(submission.c.id == bindparam("submission_id"))
_cases_of = (
    select(*CASE_COLUMNS).where(case_result.c.judging_id == bindparam("judging_id")).order_by(case_result.c.position)
)
_by_client_id = select(*SUBMISSION_COLUMNS).where(
    submission.c.learner == bindparam("learner"), submission.c.client_id == bindparam("client_id")
)
_accept = insert(submission).returning(submission.c.id)
_waits = (judging.c.status == "queued") & (judging.c.priority == bindparam("priority"))
_turns = select(
    select(func.max(judging.c.turn) + 1)
    .join(submission)
    .where(_waits, submission.c.learner == bindparam("learner"))
    .scalar_subquery(),
    select(func.min(judging.c.turn)).where(_waits).scalar_subquery(),
)
_queue = insert(judging).returning(judging.c.id)
TICK = update(tick).where(tick.c.id == 1).values(value=tick.c.value + 1).returning(tick.c.value)
# PostgreSQL tells in the same round trip, when the transaction commits
_QUEUE = {"sqlite": _queue, "postgresql": _queue.returning(func.pg_notify(WAKE_CHANNEL, ""))}
_TICK = {"sqlite": TICK, "postgresql": TICK.returning(func.pg_notify(NEWS_CHANNEL, ""))}


class LearnerRecords(Database):
    """The learners' half of `Store`."""

    def submit(
        self,
        *,
        learner: str,
        problem: str,
        source: bytes,
        samples_only: bool = False,
        client_id: str | None = None,
        input: dict[str, Any] | None = None,
    ) -> tuple[Submission, bool]:
        """Accepts a source: (submission, created). A `client_id` of this learner seen before gives that submission."""
        sha256 = hashlib.sha256(source).hexdigest()
        now = time.time()
        try:
            with self.write() as connection:
                known = self._by_client_id(connection, learner, client_id)
                if known:
                    return known, False
                values = {
                    "learner": learner, "problem": problem, "source": source, "source_sha256": sha256,
                    "samples_only": samples_only, "client_id": client_id, "input": input, "created_at": now,
                }  # fmt: skip
                number: int = connection.execute(_accept, values).scalar_one()
                self._queue(connection, number, learner, None, now, WAITING)
        except IntegrityError:  # not on SQLite: another connection accepted the same client_id just now
            with self.read() as connection:
                known = self._by_client_id(connection, learner, client_id)
            if not known:
                raise
            return known, False
        return Submission(number, learner, problem, source, sha256, samples_only, client_id, now, input), True

    def submission_of_press(self, learner: str, client_id: str) -> Submission | None:
        """What this learner sent with this `client_id` before."""
        with self.read() as connection:
            return self._by_client_id(connection, learner, client_id)

    def rejudge(self, submission_id: int, seed: int | None = None) -> Judging:
        """Queues one more judging of a submission, behind all that somebody waits for. Raises LookupError."""
        with self.write() as connection:
            learner = connection.scalar(select(submission.c.learner).where(submission.c.id == submission_id))
            if learner is None:
                raise LookupError(f"there is no submission {submission_id}")
            number = self._queue(connection, submission_id, learner, seed, time.time(), NOBODY_WAITS)
            row = connection.execute(select(*JUDGING_COLUMNS).where(judging.c.id == number)).one()
        return Judging(*row)

    def cancel(self, submission_id: int, learner: str) -> bool:
        """Cancels what has not begun; False if it began, ended or is another learner's."""
        with self.write() as connection:
            own = select(submission.c.id).where(submission.c.id == submission_id, submission.c.learner == learner)
            change = (
                update(judging)
                .where(judging.c.submission_id == own.scalar_subquery(), judging.c.status == "queued")
                .values(status="cancelled", finished_at=time.time(), version=next_version(connection))
            )
            return connection.execute(change).rowcount > 0

    def submission(self, submission_id: int, learner: str | None = None) -> SubmissionView | None:
        """The submission with its newest judging and the cases graded so far; None for another learner's."""
        with self.read() as connection:
            row = connection.execute(_view_of, {"submission_id": submission_id}).one_or_none()
            if row is None:
                return None
            view = _view(row)
            if learner not in (None, view.submission.learner):
                return None
            if view.judging.status == "queued":
                return view
            cases = connection.execute(_cases_of, {"judging_id": view.judging.id})
            return SubmissionView(view.submission, view.judging, tuple(CaseResult(*case) for case in cases))

    def submissions(
        self,
        learner: str,
        problem: str | None = None,
        limit: int = 50,
        before: int | None = None,
        *,
        verdict: Verdict | None = None,
        samples_only: bool | None = None,
    ) -> list[SubmissionView]:
        """A learner's submissions, newest first, without their cases; `before`: only those with a smaller id."""
        query = _views.where(submission.c.learner == learner).order_by(submission.c.id.desc()).limit(limit)
        if problem is not None:
            query = query.where(submission.c.problem == problem)
        if before is not None:
            query = query.where(submission.c.id < before)
        if verdict is not None:
            query = query.where(judging.c.verdict == verdict)
        if samples_only is not None:
            query = query.where(submission.c.samples_only == samples_only)
        with self.read() as connection:
            return [_view(row) for row in connection.execute(query)]

    def _by_client_id(self, connection: Connection, learner: str, client_id: str | None) -> Submission | None:
        if client_id is None:
            return None
        row = connection.execute(_by_client_id, {"learner": learner, "client_id": client_id}).one_or_none()
        return Submission(*row) if row else None

    def _queue(
        self, connection: Connection, submission_id: int, learner: str, seed: int | None, now: float, priority: int
    ) -> int:
        values = {
            "submission_id": submission_id, "status": "queued", "seed": seed, "sandbox": "", "time_ms": 0.0,
            "memory_kb": 0, "diagnosing": False, "internal": "", "problem_digest": "", "tries": 0, "fence": 0,
            "created_at": now, "version": next_version(connection), "priority": priority,
            "turn": _turn(connection, learner, priority),
        }  # fmt: skip
        number: int = connection.execute(_QUEUE[connection.dialect.name], values).scalar_one()
        return number


def _turn(connection: Connection, learner: str, priority: int) -> int:
    """Learners take turns: the turn now served, or the one after this learner's last that still waits."""
    own, served = connection.execute(_turns, {"learner": learner, "priority": priority}).one()
    return max(own or 0, served or 0)


def next_version(connection: Connection) -> int:
    """The next number for `judging.version`. Its row stays locked until the commit, so no version appears late."""
    version: int = connection.execute(_TICK[connection.dialect.name]).scalar_one()
    return version


def storable(text: str) -> str:
    """Submissions print anything; databases take neither lone surrogates nor (PostgreSQL) NUL."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\N{SYMBOL FOR NULL}")


def _view(row: Sequence[Any]) -> SubmissionView:
    split = len(SUBMISSION_COLUMNS)
    return SubmissionView(Submission(*row[:split]), Judging(*row[split:]))
