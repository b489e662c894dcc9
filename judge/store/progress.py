"""How far learners are, derived from their submissions; and on which problems they looked at the solution."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, tzinfo
from typing import Literal

from sqlalchemy import and_, case, exists, func, insert, select

from judge.store.engine import Database
from judge.store.tables import judging, reveal, submission
from judge.store.values import Progress

_later = judging.alias("later")
# A verdict says "done" too, and has no index: SQLite would take the one of the status, and look at all that is done
_newest_done = ~exists().where(
    _later.c.submission_id == judging.c.submission_id, _later.c.id > judging.c.id, _later.c.verdict.is_not(None)
)
_whole = ~submission.c.samples_only
_accepted = and_(_whole, judging.c.verdict == "AC")
_columns = (
    func.max(case((_accepted, 1), else_=0)),
    func.count(case((_whole, submission.c.id))),
    func.min(case((_accepted, submission.c.created_at))),
    func.min(case((_accepted, judging.c.time_ms))),
    func.max(submission.c.created_at),
)


class ProgressRecords(Database):
    """What `Store` tells of a learner's way."""

    def solved(self, learner: str) -> dict[str, Literal["solved", "tried"]]:
        """slug -> "solved" (a whole submission is AC by its newest verdict) or "tried"."""
        return {slug: found.state for slug, found in self.progress(learner).items()}

    def progress(self, learner: str) -> dict[str, Progress]:
        """By slug, for the problems with submissions; judged by the newest verdict of each submission."""
        return self.progress_of([learner]).get(learner, {})

    def progress_of(self, learners: Sequence[str]) -> dict[str, dict[str, Progress]]:
        """The same for several learners: by learner, then by slug."""
        finished = and_(judging.c.submission_id == submission.c.id, judging.c.verdict.is_not(None), _newest_done)
        query = (
            select(submission.c.learner, submission.c.problem, *_columns)
            .join_from(submission, judging, finished, isouter=True)
            .where(submission.c.learner.in_(learners))
            .group_by(submission.c.learner, submission.c.problem)
        )
        found: dict[str, dict[str, Progress]] = {}
        with self.read() as connection:
            for learner, slug, won, *facts in connection.execute(query):
                found.setdefault(learner, {})[slug] = Progress("solved" if won else "tried", *facts)
            for learner, slug, at in connection.execute(select(reveal).where(reveal.c.learner.in_(learners))):
                if slug in found.get(learner, {}):
                    found[learner][slug] = replace(found[learner][slug], revealed_at=at)
        return found

    def activity(self, learner: str, zone: tzinfo, since: float = 0.0) -> dict[date, int]:
        """Submissions per day of the calendar in that time zone, sample runs included."""
        query = select(submission.c.created_at).where(submission.c.learner == learner, submission.c.created_at >= since)
        with self.read() as connection:
            return dict(Counter(datetime.fromtimestamp(at, zone).date() for at in connection.scalars(query)))

    def reveal(self, learner: str, problem: str) -> float:
        """The learner gave up and looks at the solution; when that was first."""
        own = reveal.c.learner == learner, reveal.c.problem == problem
        with self.write() as connection:
            known: float | None = connection.scalar(select(reveal.c.revealed_at).where(*own))
            if known is not None:
                return known
            now = time.time()
            connection.execute(insert(reveal), {"learner": learner, "problem": problem, "revealed_at": now})
            return now

    def reveals(self, learner: str) -> dict[str, float]:
        """slug -> when the solution was first looked at before it was solved."""
        with self.read() as connection:
            query = select(reveal.c.problem, reveal.c.revealed_at).where(reveal.c.learner == learner)
            return {row.problem: row.revealed_at for row in connection.execute(query)}
