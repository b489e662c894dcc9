"""How many learners one machine serves: throughput and latency from POST to verdict, as ratios to the floor.

    floor      the cases in a fork of a preloaded process, see floor.py: one at a time, and per second on all cores
    load       1, 2, 4 ... learners at once, each submits again when its verdict is there: p50, p95, p99, rate; the
               forks are counted before and after each, since a machine is not equally fast at all times
    half       as many as give half of the best throughput: its p95 against the idle p50
    million    with a day of records in the database: lists, history, claims

Usage: python benchmarks/load.py [--database sqlite|postgresql] [--driver local|docker] [--seconds S] [--most N]
                                 [--records N] [--markdown]
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator

from sqlalchemy import insert

from benchmarks import floor
from benchmarks.measuring import ROOT, say, submission, timed
from benchmarks.serving import Level, at_once, server
from judge.store import Store, tables
from tests.postgres import Server, programs

PORT = 8931
ROWS_AT_ONCE = 10_000
LEARNERS_IN_RECORDS = 2000


def levels(most: int, seconds: float) -> Iterator[tuple[Level, float]]:
    """Each with its share of the forks that all cores made just before and just after."""
    cores = os.cpu_count() or 1
    learners, before = 1, floor.rate(seconds, cores)
    while learners <= most:
        say(f"{learners} at once")
        level = at_once(PORT, learners, max(seconds, learners / 4))
        after = floor.rate(seconds, cores)
        yield level, level.rate / ((before + after) / 2)
        learners, before = 2 * learners, after


def fill(store: Store, records: int) -> None:
    """A day of records: whole submissions with a verdict each, spread over learners and problems."""
    slugs = [path.parent.name for path in sorted((ROOT / "problems").glob("*/problem.toml"))]
    source = submission().read_bytes()
    now = time.time()
    with store.write() as connection:
        first = (connection.scalar(tables.submission.select().with_only_columns(tables.submission.c.id).order_by(
            tables.submission.c.id.desc()).limit(1)) or 0) + 1  # fmt: skip
    for start in range(0, records, ROWS_AT_ONCE):
        numbers = range(first + start, first + min(start + ROWS_AT_ONCE, records))
        rows = [
            {
                "id": n, "learner": f"{n % LEARNERS_IN_RECORDS:016x}", "problem": slugs[n % len(slugs)],
                "source": source[:200], "source_sha256": "0" * 64, "samples_only": False, "client_id": None,
                "input": None, "created_at": now - 86400 * (1 - (n - first) / records),
            }
            for n in numbers
        ]  # fmt: skip
        graded = [
            {
                "id": n, "submission_id": n, "status": "done", "verdict": "AC" if n % 3 else "WA", "seed": 1,
                "sandbox": "local", "time_ms": 20.0, "memory_kb": 1000, "finding": None, "diagnosis": None,
                "diagnosing": False, "smallest": None, "internal": "", "problem_digest": "", "tries": 1, "fence": 1,
                "created_at": now, "started_at": now, "finished_at": now, "version": 0, "priority": 0, "turn": 0,
            }
            for n in numbers
        ]  # fmt: skip
        with store.write(durable=False) as connection:
            connection.execute(insert(tables.submission), rows)
            connection.execute(insert(tables.judging), graded)
    if not store.sqlite:
        with store.write() as connection:
            for table in ("submission", "judging"):
                connection.exec_driver_sql(f"SELECT setval('{table}_id_seq', {first + records})")
        with store.read() as connection:  # in a day the server would have done this by itself, little by little
            connection.exec_driver_sql("VACUUM ANALYZE")
            connection.exec_driver_sql("CHECKPOINT")


def with_records(store: Store) -> dict[str, float]:
    """Median milliseconds of what pages and workers ask, for a learner with an ordinary share of the records."""
    learner = f"{7:016x}"

    def claim() -> None:
        store.submit(learner=learner, problem="softmax", source=b"x")
        taken = store.claim("benchmark", 60)
        assert taken
        store.cancel(taken.submission_id, learner)
        store.give_back(taken, "benchmark")

    asked: dict[str, Callable[[], object]] = {
        "list of problems: solved": lambda: store.solved(learner),
        "own submissions of a problem": lambda: store.submissions(learner, "softmax"),
        "history, first page": lambda: store.submissions(learner, limit=100),
        "profile: progress": lambda: store.progress(learner),
        "metrics: tallies": store.tallies,
        "queue state": store.queue_state,
        "submit, claim, give back": claim,
    }
    return {name: statistics.median(timed(function) for _ in range(15)) for name, function in asked.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--driver", default="local")
    parser.add_argument("--seconds", type=float, default=15, help="for each level")
    parser.add_argument("--most", type=int, default=256, help="learners at once")
    parser.add_argument("--records", type=int, default=0, help="submissions to put into the database first")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    cores = os.cpu_count() or 1
    say("floor")
    fork = floor.median_ms(20)
    postgres = None
    if options.database == "postgresql":
        found = programs()
        assert found, "PostgreSQL is not installed"
        postgres = Server(found, durable=True)
    with tempfile.TemporaryDirectory(prefix="judge-load-") as data:
        url = postgres.database() if postgres else f"sqlite:///{data}/judge.db"
        records: dict[str, tuple[float, float]] = {}
        store = Store.open(url)
        if options.records:
            say(f"{options.records} records")
            few = with_records(store)
            fill(store, options.records)
            records = {name: (few[name], many) for name, many in with_records(store).items()}
        store.close()
        with server(options.driver, PORT, url):
            at_once(PORT, 1, 3)
            measured = list(levels(options.most, options.seconds))
    if postgres:
        postgres.stop()
    best = max(level.rate for level, _ in measured)
    half = next(level for level, _ in measured if level.rate >= best / 2)
    idle = measured[0][0].percentile(0.5)
    full = [share for level, share in measured if level.learners > 2 * cores]
    line = "| {} | {} | {} | {} | {} | {} |" if options.markdown else "{:>9} {:>12} {:>10} {:>10} {:>10} {:>14}"
    print(f"{options.database}, {options.driver}: floor {fork:.1f} ms on {cores} cores")
    print(line.format("learners", "verdicts/s", "p50 ms", "p95 ms", "p99 ms", "share of forks"))
    if options.markdown:
        print("|---|---|---|---|---|---|")
    for level, share in measured:
        figures = [f"{level.percentile(part):.0f}" for part in (0.5, 0.95, 0.99)]
        print(line.format(level.learners, f"{level.rate:.1f}", *figures, f"{100 * share:.0f} %"))
    print(f"idle p50 = {idle / fork:.2f} x floor")
    if full:
        print(f"more than {2 * cores} learners: {100 * statistics.median(full):.0f} % of the forks in the median")
    print(f"{half.learners} learners give half of the best rate: p95 = {half.percentile(0.95) / idle:.2f} x idle p50")
    for name, (few_ms, many_ms) in records.items():
        print(f"{name:32} {few_ms:8.1f} ms with none, {many_ms:8.1f} ms with {options.records} records")


if __name__ == "__main__":
    main()
