"""What learners do: submit, read their own work, cancel. Also how rows become values.

accept = submission + judging(queued), committed before `submit` returns; learners with much in the queue take turns
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from sqlalchemy import Select, bindparam, exists, select, update

from judge.model import CaseResult, Verdict
from judge.store import statements
from judge.store.engine import Database
from judge.store.statements import JUDGING_COLUMNS, next_version
from judge.store.tables import case_result, judging, submission
from judge.store.values import Judging, Submission, SubmissionView

WAITING, NOBODY_WAITS = 0, 1
"""Priorities: what a learner waits for goes before rejudges."""
SUBMISSION_COLUMNS = [submission.c[field.name] for field in fields(Submission)]
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
    ) -> tuple[SubmissionView, bool]:
        """Accepts a source: (submission, created). A `client_id` of this learner seen before gives that submission."""
        sha256 = hashlib.sha256(source).hexdigest()
        now = time.time()
        values = {
            "learner": learner, "problem": problem, "source": source, "source_sha256": sha256,
            "samples_only": samples_only, "client_id": client_id, "input": input, "created_at": now,
        }  # fmt: skip
        with self.write() as connection:
            accepted = statements.accept(connection, values)
            if accepted is not None:
                number, version = accepted
                waiting = statements.queue(connection, number, learner, version, now, WAITING)
                made = Submission(number, learner, problem, source, sha256, samples_only, client_id, now, input)
                return SubmissionView(made, waiting), True
        known = self.submission_of_press(learner, client_id or "")
        view = self.submission(known.id) if known else None
        if view is None:
            raise LookupError("the submission with this client_id was removed just now")
        return view, False

    def submission_of_press(self, learner: str, client_id: str) -> Submission | None:
        """What this learner sent with this `client_id` before."""
        with self.read() as connection:
            row = connection.execute(_by_client_id, {"learner": learner, "client_id": client_id}).one_or_none()
        return Submission(*row) if row else None

    def rejudge(self, submission_id: int, seed: int | None = None) -> Judging:
        """Queues one more judging of a submission, behind all that somebody waits for. Raises LookupError."""
        with self.write() as connection:
            learner = connection.scalar(select(submission.c.learner).where(submission.c.id == submission_id))
            if learner is None:
                raise LookupError(f"there is no submission {submission_id}")
            version = next_version(connection)
            return statements.queue(connection, submission_id, learner, version, time.time(), NOBODY_WAITS, seed)

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


def _view(row: Sequence[Any]) -> SubmissionView:
    split = len(SUBMISSION_COLUMNS)
    return SubmissionView(Submission(*row[:split]), Judging(*row[split:]))
