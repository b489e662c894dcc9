"""What workers and the watcher do. Every write of a worker is a compare-and-set on the fence of its claim.

queued ──claim──▶ running ──finish──▶ done          (exactly one verdict)
  ▲                  │
  └─ give_back, lease ran out, worker died ─┘       three tries, then done as JE
queued ──cancel──▶ cancelled
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, fields
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    String,
    and_,
    bindparam,
    cast,
    delete,
    func,
    or_,
    select,
    tuple_,
    update,
)

from judge.model import CaseResult, Finding, Report, Smallest
from judge.store import statements
from judge.store.engine import Database, notify, storable
from judge.store.statements import HELD, ORDER, RUNNING, WAITS, WAKE_CHANNEL, in_status, next_version
from judge.store.tables import case_result, judging, submission, tally
from judge.store.values import Change, Claim, QueueState, Tally

MAX_TRIES = 3
PACE_OVER = 20
LONGEST_LEASE_S = 600.0


class WorkRecords(Database):
    """The workers' half of `Store`."""

    def claim(self, worker: str, lease_s: float) -> Claim | None:
        """Takes the queued judging whose turn it is for `lease_s` seconds, or None if there is none."""
        if self.sqlite:
            with self.read() as connection:  # an idle worker that asks takes no lock
                if connection.scalar(statements.QUEUED) is None:
                    return None
        with self.step(durable=False) as connection:
            return statements.claim(connection, worker, lease_s, time.time())

    def renew(self, claim: Claim, lease_s: float) -> bool:
        """Lengthens the lease; False: the judging is no longer this claim's."""
        with self.write(durable=False) as connection:
            change = update(judging).where(*HELD).values(lease_until=self.now() + lease_s)
            return connection.execute(change, _of_claim(claim)).rowcount == 1

    def record_cases(self, claim: Claim, cases: Sequence[CaseResult]) -> bool:
        """Adds cases, graded since the last call, for those who watch; `finish` brings them all anyway."""
        with self.write(durable=False) as connection:
            change = update(judging).where(*HELD).values(version=next_version(connection))
            if connection.execute(change, _of_claim(claim)).rowcount != 1:
                return False
            stored = select(func.count()).where(case_result.c.judging_id == claim.judging_id)
            first = connection.execute(stored).scalar_one()
            statements.add_cases(connection, statements.case_rows(claim.judging_id, cases, first))
            return True

    def finish(self, claim: Claim, report: Report, *, problem_digest: str = "", diagnosing: bool = False) -> bool:
        """Stores the verdict with all its cases; False (and nothing stored): the judging is no longer this claim's.

        `diagnosing`: a `set_diagnosis` will follow.
        """
        values = {
            "status": "done", "verdict": report.verdict, "seed": report.seed, "sandbox": report.sandbox,
            "time_ms": report.time_ms, "memory_kb": report.memory_kb, "finding": report.finding,
            "diagnosis": report.diagnosis, "smallest": _data(report.smallest), "diagnosing": diagnosing,
            "problem_digest": problem_digest, "lease_until": None, "finished_at": time.time(),
        }  # fmt: skip
        noted, rows = storable(report.internal), statements.case_rows(claim.judging_id, report.cases)
        with self.step() as connection:
            return statements.finish(connection, _of_claim(claim), values, noted, rows)

    def set_diagnosis(self, claim: Claim, mistake: str | None, smallest: Smallest | None = None) -> bool:
        """After `finish`: the known mistake and the smallest failing input, as far as they were found."""
        with self.write() as connection:
            change = (
                update(judging)
                .where(judging.c.id == claim.judging_id, judging.c.fence == claim.fence, judging.c.status == "done")
                .values(diagnosis=mistake, smallest=_data(smallest), diagnosing=False, version=next_version(connection))
            )
            return connection.execute(change).rowcount == 1

    def refuse(self, claim: Claim, finding: Finding) -> bool:
        """Nothing to judge: the learner's own input does not fit the problem. Ends as cancelled, with the reason."""
        with self.write() as connection:
            change = (
                update(judging)
                .where(*HELD)
                .values(
                    status="cancelled", finding=finding, lease_until=None, finished_at=time.time(),
                    version=next_version(connection),
                )
            )  # fmt: skip
            return connection.execute(change, _of_claim(claim)).rowcount == 1

    def give_back(self, claim: Claim, why: str) -> bool:
        """The judge failed: queued again, or stored as JE after the last try. `why` is for the operator."""
        with self.write() as connection:
            held = judging.c.id == claim.judging_id, judging.c.fence == claim.fence
            return _requeue(connection, held, why) == 1

    def expire(self, longest_s: float = LONGEST_LEASE_S) -> int:
        """Gives back what workers hold whose leases ran out; how many.

        A lease that ends later than `longest_s` from now was taken before the clock was set back: it counts as over.
        """
        at = self.now()
        over = (judging.c.lease_until < at) | (judging.c.lease_until > at + longest_s)
        return self._requeue_where(over, "the lease ran out")

    def release_worker(self, worker: str) -> int:
        """Gives back at once what a worker that is known to be dead held; how many."""
        return self._requeue_where(judging.c.worker == worker, f"worker {worker} died")

    def release_dead(self, is_dead: Callable[[str], bool]) -> int:
        """Gives back what workers held whose names `is_dead` knows; how many."""
        with self.read() as connection:
            holders = connection.scalars(select(judging.c.worker).where(RUNNING).distinct()).all()
        return sum(self.release_worker(worker) for worker in holders if worker and is_dead(worker))

    def ahead(self, judging_id: int) -> int:
        """How many unfinished judgings come before a queued one; 0 if it is not queued."""
        with self.read() as connection:
            return connection.scalar(_ahead, {"of": judging_id}) or 0

    def changes(self, since: int, limit: int = 1000) -> list[Change]:
        """Judgings that changed after version `since`, in order. Start with `since = newest_version()`."""
        with self.read() as connection:
            return [Change(*row) for row in connection.execute(_changes, {"since": since, "most": limit})]

    def newest_version(self) -> int:
        """The version of the newest change."""
        with self.read() as connection:
            return connection.scalar(select(func.max(judging.c.version))) or 0

    def queue_state(self) -> QueueState:
        """How full the queue is and how fast it moves. Fails if the database cannot be read."""
        at = time.time()
        counts = select(judging.c.status, func.count(), func.min(judging.c.created_at)).group_by(judging.c.status)
        lately = (
            select(judging.c.finished_at - judging.c.started_at)
            .where(judging.c.status == "done", judging.c.started_at.is_not(None))
            .order_by(judging.c.id.desc())
            .limit(PACE_OVER)
        )
        with self.read() as connection:
            unfinished = counts.where(judging.c.status.in_(("queued", "running")))
            found = {status: (count, oldest) for status, count, oldest in connection.execute(unfinished)}
            paces = connection.scalars(lately).all()
        queued, oldest = found.get("queued", (0, at))
        mean = sum(paces) / len(paces) if paces else None
        return QueueState(queued, found.get("running", (0, at))[0], max(0.0, at - oldest), mean)

    def tallies(self) -> list[Tally]:
        """What was judged so far, by problem and verdict."""
        with self.read() as connection:
            return [Tally(*row) for row in connection.execute(select(tally).order_by(tally.c.problem, tally.c.verdict))]

    def _requeue_where(self, held: ColumnElement[bool], why: str) -> int:
        with self.read() as connection:
            if connection.scalar(select(judging.c.id).where(RUNNING, held).limit(1)) is None:
                return 0
        with self.write() as connection:
            return _requeue(connection, (held,), why)


_own = judging.alias("own")
_ahead = (
    select(func.count())
    .select_from(judging)
    .join(_own, and_(_own.c.id == bindparam("of"), in_status(_own, "queued")))
    .where(
        or_(
            RUNNING,
            and_(WAITS, tuple_(*ORDER) < tuple_(*(_own.c[column.name] for column in ORDER))),
        )
    )
)
_changes = (
    select(
        *(
            submission.c[name] if name in ("learner", "problem") else judging.c["id" if name == "judging_id" else name]
            for name in (field.name for field in fields(Change))
        )
    )
    .join_from(judging, submission, submission.c.id == judging.c.submission_id)
    .where(judging.c.version > bindparam("since"))
    .order_by(judging.c.version)
    .limit(bindparam("most"))
)


def _of_claim(claim: Claim) -> dict[str, int]:
    """What HELD asks for."""
    return {"of": claim.judging_id, "held_fence": claim.fence}


def _data(smallest: Smallest | None) -> dict[str, Any] | None:
    return asdict(smallest) if smallest is not None else None


def _requeue(connection: Connection, held: Sequence[ColumnElement[bool]], why: str) -> int:
    """Running judgings go back to the queue, or become JE if they had all their tries."""
    version = next_version(connection)
    noted = judging.c.internal + "try " + cast(judging.c.tries, String) + ": " + storable(why) + "\n"
    gone = delete(case_result).where(case_result.c.judging_id.in_(select(judging.c.id).where(RUNNING, *held)))
    connection.execute(gone)
    common: dict[str, Any] = {"internal": noted, "version": version, "lease_until": None}
    last = (
        update(judging)
        .where(RUNNING, judging.c.tries >= MAX_TRIES, *held)
        .values(
            **common, status="done", verdict="JE", seed=func.coalesce(judging.c.seed, 0),
            finding={"code": "judge_error"}, finished_at=time.time(),
        )
    )  # fmt: skip
    ended = statements.counting(connection.dialect.name, RUNNING, judging.c.tries >= MAX_TRIES, *held)
    connection.execute(ended, {"judged": "JE"})
    notify(connection, WAKE_CHANNEL)
    again = update(judging).where(RUNNING, *held).values(**common, status="queued", worker=None, started_at=None)
    return connection.execute(last).rowcount + connection.execute(again).rowcount
