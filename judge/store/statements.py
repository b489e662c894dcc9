"""The steps of a submission's way as statements, made once: making one costs more than running it.

accept ─▶ queue ─▶ claim ─▶ finish

On SQLite a step is several statements in a transaction. On PostgreSQL each would be a round trip, so a step is one, in
which a part that has to come later asks for what an earlier one gives. The row of `tick` is locked first in each.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from sqlalchemy import (
    JSON,
    ColumnElement,
    Connection,
    FromClause,
    Select,
    String,
    Table,
    bindparam,
    cast,
    column,
    delete,
    func,
    insert,
    literal,
    literal_column,
    select,
    union_all,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from judge.model import CaseResult, Status
from judge.store.engine import NOW, storable
from judge.store.tables import case_result, judging, submission, tally, tick
from judge.store.values import Claim, Judging

WAKE_CHANNEL, NEWS_CHANNEL = "judge_wake", "judge_news"
"""Of PostgreSQL's notifications: a judging was queued; a judging changed."""
Rows = Sequence[Mapping[str, Any]]
"""Of case_result."""


def in_status(judgings: FromClause, status: Status) -> ColumnElement[bool]:
    """Written out: for a value that comes later PostgreSQL plans anew each time, once there are many records."""
    found: ColumnElement[bool] = judgings.c.status == literal_column(f"'{status}'")
    return found


WAITS, RUNNING = in_status(judging, "queued"), in_status(judging, "running")
JUDGING_COLUMNS = [judging.c[field.name] for field in fields(Judging)]
_UPSERT: dict[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def _columns(table: Table) -> list[str]:
    return [column.name for column in table.c]


# ── versions ──
_tick = update(tick).where(tick.c.id == 1).values(value=tick.c.value + 1).returning(tick.c.value)
# PostgreSQL tells in the same round trip, when the transaction commits
_TICK = {"sqlite": _tick, "postgresql": _tick.returning(func.pg_notify(NEWS_CHANNEL, ""))}


def next_version(connection: Connection) -> int:
    """The next number for `judging.version`, of a change that watchers are told of.

    Its row stays locked until the commit, so no version appears late.
    """
    version: int = connection.execute(_TICK[connection.dialect.name]).scalar_one()
    return version


# ── accept ──
_PRESS = ["learner", "client_id"]
_accept = sqlite.insert(submission).on_conflict_do_nothing(index_elements=_PRESS).returning(submission.c.id)
_accepted = (
    postgresql.insert(submission)
    .values({name: bindparam(name) for name in _columns(submission) if name != "id"})
    .on_conflict_do_nothing(index_elements=_PRESS)
    .returning(submission.c.id)
    .cte("accepted")
)
_accept_at_once = _tick.where(select(_accepted.c.id).exists()).returning(select(_accepted.c.id).scalar_subquery())


def accept(connection: Connection, values: Mapping[str, Any]) -> tuple[int, int] | None:
    """(number of the submission, version for its judging), or None where this learner's client_id is known."""
    if connection.dialect.name == "postgresql":
        row = connection.execute(_accept_at_once, values).one_or_none()
        return (row[1], row[0]) if row else None
    number = connection.execute(_accept, values).scalar_one_or_none()
    return None if number is None else (number, connection.execute(_tick).scalar_one())


# ── queue ──
_alike = WAITS & (judging.c.priority == bindparam("among"))
_turns = union_all(  # the one now served, and the one after this learner's last that still waits
    select(func.min(judging.c.turn).label("turn")).where(_alike),
    select(func.max(judging.c.turn) + 1).join(submission).where(_alike, submission.c.learner == bindparam("learner")),
).subquery()
_queue = (
    insert(judging)
    .values(turn=select(func.coalesce(func.max(_turns.c.turn), 0)).scalar_subquery())
    .returning(*JUDGING_COLUMNS)
)
_QUEUE = {"sqlite": _queue, "postgresql": _queue.returning(func.pg_notify(WAKE_CHANNEL, ""))}


def queue(
    connection: Connection, submission_id: int, learner: str, version: int, now: float, priority: int,
    seed: int | None = None,
) -> Judging:  # fmt: skip
    """A new judging that waits. A statement after the one that drew the version: turns are given one by one."""
    values = {
        "submission_id": submission_id, "status": "queued", "seed": seed, "sandbox": "", "time_ms": 0.0,
        "memory_kb": 0, "diagnosing": False, "internal": "", "problem_digest": "", "tries": 0, "fence": 0,
        "created_at": now, "version": version, "priority": priority, "among": priority, "learner": learner,
    }  # fmt: skip
    row = connection.execute(_QUEUE[connection.dialect.name], values).one()
    return Judging(*row[: len(JUDGING_COLUMNS)])


# ── claim ──
ORDER = (judging.c.priority, judging.c.turn, judging.c.id)
QUEUED = select(judging.c.id).where(WAITS).limit(1)
_next = select(judging.c.id).where(WAITS).order_by(*ORDER).limit(1)
_claim_tick = _tick.where(QUEUED.exists())
_taken = {
    "status": "running", "fence": judging.c.fence + 1, "tries": judging.c.tries + 1,
    "worker": bindparam("by"), "started_at": bindparam("at"),
}  # fmt: skip
_OF_JUDGING = ("submission_id", "fence", "tries", "worker", "seed")
_CLAIMED = [
    judging.c.id if name == "judging_id" else (judging if name in _OF_JUDGING else submission).c[name]
    for name in (field.name for field in fields(Claim))
]
_claim = (
    update(judging)
    .where(judging.c.id == _next.scalar_subquery())
    .values(**_taken, lease_until=NOW["sqlite"] + bindparam("lease_s"), version=bindparam("drawn"))
    .returning(judging.c.id)
)
_claimed = select(*_CLAIMED).join_from(judging, submission).where(judging.c.id == bindparam("of"))

# nothing is lost with a claim that a power cut undoes, so PostgreSQL need not wait for the disk
_ticked = _claim_tick.returning(func.set_config("synchronous_commit", "off", True)).cte("ticked")
_drawn = select(_ticked.c.value).scalar_subquery()
_chosen = _next.where(_drawn.is_not(None)).with_for_update(skip_locked=True).scalar_subquery()
_claim_at_once = (
    update(judging)
    .where(judging.c.id == _chosen, submission.c.id == judging.c.submission_id)
    .values(**_taken, lease_until=NOW["postgresql"] + bindparam("lease_s"), version=_drawn)
    .returning(*_CLAIMED)
)


def claim(connection: Connection, worker: str, lease_s: float, now: float) -> Claim | None:
    """The queued judging whose turn it is."""
    values = {"by": worker, "lease_s": lease_s, "at": now}
    row: Sequence[Any] | None
    if connection.dialect.name == "postgresql":
        row = connection.execute(_claim_at_once, values).one_or_none()
    else:
        version = connection.execute(_claim_tick).scalar_one_or_none()
        if version is None:
            return None
        number = connection.execute(_claim, values | {"drawn": version}).scalar_one()
        row = connection.execute(_claimed, {"of": number}).one()
    return Claim(*row) if row else None


# ── finish ──
OF = judging.c.id == bindparam("of")
HELD = OF, judging.c.fence == bindparam("held_fence"), RUNNING
_ENDING = (
    "status", "verdict", "seed", "sandbox", "time_ms", "memory_kb", "finding", "diagnosis", "smallest", "diagnosing",
    "problem_digest", "lease_until", "finished_at",
)  # fmt: skip
_ended = update(judging).where(*HELD).values({name: bindparam(f"new_{name}") for name in _ENDING})
_ended = _ended.values(internal=judging.c.internal + bindparam("noted"))
_finish = _ended.values(version=bindparam("drawn"))
_forget_cases = delete(case_result).where(case_result.c.judging_id == bindparam("of"))
_add_cases = insert(case_result)
_waited = func.coalesce(judging.c.started_at, judging.c.created_at) - judging.c.created_at

_given = func.json_populate_recordset(  # PostgreSQL takes one value much faster than a row for each case
    literal_column("NULL::case_result"), cast(bindparam("rows", type_=String), JSON)
).table_valued(*(column(c.name, c.type) for c in case_result.c))
_add_all_cases = postgresql.insert(case_result).from_select(_columns(case_result), select(*_given.c))


def _tallied(found: Select[Any], upsert: Any) -> Any:
    """Adds judgings to the tally: the columns of `found` are its own."""
    added = upsert(tally).from_select(_columns(tally), found)
    sums = {name: tally.c[name] + added.excluded[name] for name in ("judgings", "time_ms", "wait_s")}
    return added.on_conflict_do_update(index_elements=["problem", "verdict"], set_=sums)


def counting(dialect: str, *which: ColumnElement[bool]) -> Any:
    """Adds judgings that get the verdict `judged` to the tally."""
    totals = func.count(), func.sum(judging.c.time_ms), func.sum(_waited)
    found: Select[Any] = select(submission.c.problem, bindparam("judged", type_=String), *totals)
    found = found.join_from(judging, submission).where(*which).group_by(submission.c.problem)
    return _tallied(found, _UPSERT[dialect])


_count = counting("sqlite", OF)


def _finishing_at_once() -> Any:
    ticked = _TICK["postgresql"].cte("ticked")
    change = _ended.values(version=select(ticked.c.value).scalar_subquery())
    ended = change.returning(judging.c.id, judging.c.submission_id, judging.c.time_ms, _waited.label("wait_s")).cte(
        "ended"
    )
    held = select(ended.c.id).scalar_subquery()
    all_cases = postgresql.insert(case_result).from_select(
        _columns(case_result), select(*_given.c).where(_given.c.judging_id == held)
    )
    anew = {name: all_cases.excluded[name] for name in _columns(case_result)}
    stored = all_cases.on_conflict_do_update(index_elements=["judging_id", "position"], set_=anew).cte("stored")
    fewer = delete(case_result).where(case_result.c.judging_id == held, case_result.c.position >= bindparam("count"))
    verdict = bindparam("new_verdict", type_=String)
    found: Select[Any] = select(submission.c.problem, verdict, literal(1), ended.c.time_ms, ended.c.wait_s).join_from(
        ended, submission, submission.c.id == ended.c.submission_id
    )
    return _tallied(found, postgresql.insert).returning(tally.c.problem).add_cte(stored, fewer.cte("fewer"))


_finish_at_once = _finishing_at_once()


def finish(connection: Connection, held: dict[str, int], values: dict[str, Any], noted: str, rows: Rows) -> bool:
    """The verdict with all its cases, if the judging is still `held`; `values`: the columns of _ENDING."""
    given: dict[str, Any] = {f"new_{name}": value for name, value in values.items()} | held | {"noted": noted}
    if connection.dialect.name == "postgresql":
        given |= {"rows": json.dumps(rows), "count": len(rows)}
        return connection.execute(_finish_at_once, given).one_or_none() is not None
    if connection.execute(_finish, given | {"drawn": next_version(connection)}).rowcount != 1:
        return False
    connection.execute(_forget_cases, {"of": held["of"]})
    add_cases(connection, rows)
    connection.execute(_count, {"of": held["of"], "judged": values["verdict"]})
    return True


def case_rows(judging_id: int, cases: Sequence[CaseResult], first: int = 0) -> Rows:
    """From position `first` on."""
    return [
        {
            "judging_id": judging_id, "position": first + number, "name": case.name, "sample": case.sample,
            "verdict": case.verdict, "time_ms": case.time_ms, "memory_kb": case.memory_kb, "finding": case.finding,
            "stdout": storable(case.stdout), "stderr": storable(case.stderr), "traceback": storable(case.traceback),
            "tensors": case.tensors,
        }
        for number, case in enumerate(cases)
    ]  # fmt: skip


def add_cases(connection: Connection, rows: Rows) -> None:
    if rows and connection.dialect.name == "postgresql":
        connection.execute(_add_all_cases, {"rows": json.dumps(rows)})
    elif rows:
        connection.execute(_add_cases, rows)
