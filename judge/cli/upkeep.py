"""The half of `judge admin` that is about the judge itself: tables, workers, copies, judging again."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from judge import config, loader
from judge.cli.errors import Refusal
from judge.cli.layout import columns, padded
from judge.cli.results import print_json
from judge.cli.words import say

if TYPE_CHECKING:
    from judge.store import Store, Submission

DAY_S = 86400.0
PG_BACKUP = "pg_dump --format=custom --file=FILE DATABASE"
PG_RESTORE = "pg_restore --clean --if-exists --dbname=DATABASE FILE"


def migrate(store: Store) -> None:
    """`Store.open` did it already."""
    print(say("migrated"))


def workers(store: Store, as_json: bool) -> None:
    found = store.workers()
    if as_json:
        print_json({"workers": [{"name": w.name, "sandbox": w.sandbox, "draining": w.draining} for w in found]})
        return
    if not found:
        print(say("no_workers"))
    width = max([columns(worker.name) for worker in found], default=0) + 2
    for worker in found:
        print(f"{padded(worker.name, width)}{worker.sandbox}{' ' + say('draining') if worker.draining else ''}")


def drain(store: Store, name: str) -> None:
    if not store.drain(name):
        raise Refusal("no_worker", name=name)
    print(say("drained", name=name))


def backup(store: Store, target: Path) -> None:
    if not store.sqlite:
        raise Refusal("not_sqlite", command=PG_BACKUP)
    if target.exists():
        raise Refusal("there_already", path=target)
    store.backup(target)
    print(say("backed_up", path=target, size=f"{target.stat().st_size / 1e6:.1f}"))


def restore(settings: config.Config, source: Path) -> None:
    """Puts a copy in the place of the database; what was there is kept beside it."""
    from judge.store import Store

    if settings.database_url and not settings.database_url.startswith("sqlite"):
        raise Refusal("not_sqlite", command=PG_RESTORE)
    _check_copy(source)
    store = Store.open(settings.database)
    place = Path(str(store.engine.url.database))
    busy = store.workers()
    store.close()
    if busy:
        raise Refusal("still_served", name=busy[0].name)
    kept = place.with_name(f"{place.name}.{time.strftime('%Y%m%d-%H%M%S')}")
    for end in ("", "-wal", "-shm"):
        old = Path(f"{place}{end}")
        if old.exists():
            old.rename(f"{kept}{end}")
    with closing(sqlite3.connect(source)) as copy, closing(sqlite3.connect(place)) as made:
        copy.backup(made)
    Store.open(settings.database).close()
    print(say("restored", path=source, kept=kept))


def _check_copy(source: Path) -> None:
    if not source.is_file():
        raise Refusal("no_copy_file", path=source)
    try:
        with closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as copy:
            found = copy.execute("SELECT count(*) FROM alembic_version").fetchone()[0]
            fine = found and copy.execute("PRAGMA quick_check").fetchone()[0] == "ok"
    except sqlite3.Error:
        fine = False
    if not fine:
        raise Refusal("no_copy", path=source)


def prune(store: Store, days: int, really: bool) -> None:
    pruned = store.prune(time.time() - days * DAY_S, really=really)
    counts = {"runs": pruned.runs, "details": pruned.details, "texts": pruned.texts, "days": days}
    print(say("pruned" if really else "would_prune", **counts))


def rejudge(store: Store, settings: config.Config, what: str, really: bool) -> None:
    """A submission by its number, or all whole submissions of a problem. Not `really`: what would change."""
    if what.isdecimal():
        found = list(store.judged(submission_id=int(what)))
    else:
        loader.load_problem(settings.problems, what)
        found = list(store.judged(problem=what))
    if not found:
        raise Refusal("nothing_judged", name=what)
    if really:
        for submission in found:
            store.rejudge(submission.id)
        print(say("rejudging", count=len(found)))
    else:
        _preview(store, settings, found, print)


def _preview(store: Store, settings: config.Config, found: list[Submission], write: Callable[[str], None]) -> None:
    from judge.cli.grading import Session

    changed = 0
    with Session(settings.sandbox) as session:
        for number, submission in enumerate(found, 1):
            problem = loader.load_problem(settings.problems, submission.problem)
            view = store.submission(submission.id)
            before = view.judging if view else None
            report = session.open().grade(
                problem,
                submission.source,
                seed=before.seed if before else None,
                samples_only=submission.samples_only,
                stop_at_failure=True,
            )
            was = before.verdict if before else None
            if report.verdict != was:
                changed += 1
                write(f"{number}/{len(found)}  #{submission.id}  {submission.problem}  {was} -> {report.verdict}")
    write(say("would_rejudge", count=len(found), changed=changed))
